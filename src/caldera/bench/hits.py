"""A generator of web-analytics hits with the shape of ClickBench's table: skewed, correlated, UTF-8, the same for a seed.

    generate(path, rows, seed) ──▶ batches(rows, seed) ──▶ Batch: visits ─▶ hits ─▶ 105 columns ──▶ Parquet by row groups

A *visit* is one user on one site (counter) on one day; it has a source (a search engine, a link, an advertisement, a
typed address) and one to many *hits*, page views in order of time. Users, sites, pages and phrases are numbers drawn from
power laws; everything else about them is a hash of the number, so a user keeps their browser and a page its title without
any table of users or pages. Each batch is sorted as the published file is, by (CounterID, EventDate, UserID, EventTime),
so that stores which keep the order of arrival can skip row groups, too.

What the queries ask for by constant is there: counter 62 with its front page (URLHash 2868770270353813622) and the
referrer hash 3594120000172545465, one visit of user 435090932899640449, and enough rows of counter 62 that OFFSET 10000
leaves some at a million rows.
"""
import os
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from caldera.bench import schema, words
from caldera.bench.words import below, mix

BATCH_ROWS = 1_000_000
HITS_PER_VISIT = 4
COUNTERS = 6000
PROBED_COUNTER = 62                                 # the site, user and hashes that the queries name
PROBED_USER = 435090932899640449
PROBED_URL_HASH = 2868770270353813622
PROBED_REFERER_HASH = 3594120000172545465
EMPTY_REFERER_HASH = -296158784638538920
SOURCES = {"direct": 14, "search": 58, "link": 17, "advertisement": 4, "saved": 7}
TRAFFIC_SOURCE = np.array([0, 2, 1, 3, 6], np.int16)        # TraficSourceID by number of the source; -1 is the site itself
ENGINES = [78, 13, 4, 2, 1, 2]                      # weights of words.SEARCH, and their numbers
ENGINE_IDS = np.array([2, 3, 4, 5, 44, 2], np.int16)
ADVERTISERS = {2: 60, 27: 16, 13: 9, 45: 5, 44: 4, 3: 3, 62: 1, 52: 1, 50: 1}
SLOTS = 4096                                        # resolution of the weights below
MODELS = ["iPad", "iPhone", "Galaxy S II", "Galaxy S III", "Lumia 920", "Lumia 620", "Xperia Z", "Xperia Go", "One X",
          "Desire HD", "Nexus 7", "Nexus 4", "Optimus L5", "Asha 311", "N8-00", "C5-03", "5800 XpressMusic", "Wildfire S",
          "Sensation", "IQ442", "A700 IDEOS", "S660", "P780", "Liquid E1", "Bold 9900", "Curve 8520", "PlayBook",
          "Kindle Fire", "ZTE V880E", "Ascend G300"]
MODEL_MAKES = np.array([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 3, 3, 3, 3, 5, 5, 8, 9, 10, 10, 11, 12, 12, 12, 13, 14,
                        9], np.int16)
DESKTOPS = {(1920, 1080): 20, (1366, 768): 26, (1280, 1024): 15, (1440, 900): 7, (1024, 768): 9, (1600, 900): 7,
            (1680, 1050): 7, (1280, 800): 5, (1152, 864): 2, (1920, 1200): 2, (1360, 768): 1, (2560, 1440): 1}
PHONES = {(320, 480): 30, (768, 1024): 28, (720, 1280): 14, (480, 800): 18, (240, 320): 10}
CHOICES_BY_USER = {                                 # column: {value: weight}
    "JavaEnable": {1: 72, 0: 28}, "OS": {2: 40, 3: 4, 44: 33, 15: 8, 105: 5, 159: 4, 0: 1, 110: 5},
    "UserAgent": {3: 25, 5: 24, 7: 20, 2: 15, 44: 7, 82: 5, 0: 2, 10: 2}, "ResolutionDepth": {32: 42, 24: 52, 16: 4, 0: 2},
    "FlashMajor": {11: 74, 10: 8, 9: 2, 0: 16}, "FlashMinor": {7: 40, 6: 20, 5: 10, 8: 14, 0: 16},
    "FlashMinor2": {"700": 34, "800": 16, "602": 12, "502": 8, "": 26, "169": 4}, "NetMajor": {0: 55, 2: 25, 3: 14, 4: 6},
    "NetMinor": {0: 75, 5: 25}, "UserAgentMajor": {27: 20, 22: 18, 28: 14, 12: 12, 10: 10, 8: 8, 9: 8, 16: 6, 0: 4},
    "UserAgentMinor": {"0": 62, "15": 9, "1453": 10, "16": 9, "": 6, "5": 4}, "CookieEnable": {1: 98, 0: 2},
    "SilverlightVersion1": {0: 60, 5: 40}, "SilverlightVersion2": {0: 60, 1: 40},
    "SilverlightVersion3": {0: 60, 20513: 25, 10411: 15}, "SilverlightVersion4": {0: 100}, "Sex": {0: 42, 1: 30, 2: 28},
    "Age": {0: 42, 16: 4, 22: 10, 26: 14, 31: 12, 39: 10, 50: 5, 55: 3}, "Income": {0: 52, 1: 10, 2: 24, 3: 14},
    "Robotness": {0: 92, 1: 3, 8: 2, 17: 2, 29: 1},
    "BrowserLanguage": {"ru": 88, "en": 6, "uk": 3, "be": 1, "kk": 1, "tr": 1},
    "BrowserCountry": {"RU": 72, "UA": 10, "": 8, "KZ": 4, "BY": 4, "US": 2},
    "ClientTimeZone": {240: 50, 180: 30, 360: 10, 120: 5, 420: 5}}
CHOICES_BY_VISIT = {
    "SocialNetwork": {"": 991, "vkontakte": 6, "facebook": 2, "twitter": 1},
    "ParamCurrency": {"": 97, "RUB": 2, "USD": 1}, "SocialSourceNetworkID": {0: 97, 2: 1, 6: 1, 7: 1},
    "OpenstatServiceName": {"": 985, "direct.yandex.ru": 12, "begun": 3},
    "UTMSource": {"": 940, "yandex": 30, "google": 15, "vk": 10, "mail.ru": 5}, "FromTag": {"": 990, "top": 6, "rss": 4},
    "UTMMedium": {"": 945, "cpc": 45, "email": 10}, "UTMTerm": {"": 980, "купить": 10, "цена": 6, "отзывы": 4},
    "UTMContent": {"": 970, "banner-240x400": 14, "text": 16}, "HasGCLID": {0: 985, 1: 15},
    "CLID": {0: 985, 1955453: 8, 9403: 4, 9582: 3}, "PageCharset": {"utf-8": 56, "windows": 40, "koi8-r": 1, "": 3},
    "CodeVersion": {291: 30, 1601: 45, 1500: 15, 0: 10}, "IsOldCounter": {0: 99, 1: 1}, "IsParameter": {0: 98, 1: 2},
    "WithHash": {0: 92, 1: 8}, "IsNotBounce": {0: 40, 1: 60}}
CHOICES_BY_HIT = {
    "GoodEvent": {1: 1}, "JavascriptEnable": {1: 99, 0: 1}, "IsArtifical": {0: 95, 1: 5}, "IsLink": {0: 88, 1: 12},
    "IsEvent": {0: 97, 1: 3}, "IsDownload": {0: 998, 1: 2}, "DontCountHits": {0: 94, 1: 6},
    "HitColor": {"T": 58, "5": 14, "S": 9, "E": 8, "F": 5, "g": 4, "8": 2},
    "SocialAction": {"": 998, "like": 1, "share": 1}, "HTTPError": {0: 996, 404: 3, 502: 1},
    "ParamCurrencyID": {0: 97, 643: 2, 840: 1},
    "Params": {"": 960, '{"param": true}': 20,
               '{"цена": 1500, "город": "Москва"}': 8, '{"ab_test": "b", "page": {"type": "list"}}': 12}}


def generate(path, rows, seed=1, progress=None):
    """Write `rows` hits to a Parquet file at `path`, a row group a batch, under a temporary name until it is whole.

    progress: called as progress(rows written, rows) after each row group. Raises OSError as the file system does.
    """
    unfinished = f"{path}.unfinished"
    try:
        with pq.ParquetWriter(unfinished, schema.arrow_schema(), compression="snappy", use_dictionary=True) as writer:
            written = 0
            for batch in batches(rows, seed):
                writer.write_batch(batch, row_group_size=BATCH_ROWS)
                written += batch.num_rows
                if progress:
                    progress(written, rows)
        os.replace(unfinished, path)
    finally:
        if os.path.exists(unfinished):
            os.remove(unfinished)


def batches(rows, seed=1):
    """The record batches of a data set of so many rows; what is in it depends on `rows`, `seed` and nothing else."""
    world = World(rows)
    for first in range(0, rows, BATCH_ROWS):
        yield Batch(world, first, min(BATCH_ROWS, rows - first), seed).record_batch()


class World:
    """What all batches share: how many users, pages and phrases there are, and which counters are how popular.

    The published data has a fifth as many users and addresses as hits; sizes grow with the data set alike. Counter 62's
    share falls from a third towards its published 0.7 % as the data grows.
    """

    def __init__(self, rows):
        self.rows = rows
        self.users = max(10, rows // 3)
        self.phrases = max(20, rows // 9)
        self.counters = 100 + np.unique(below(np.arange(2 * COUNTERS), 250_000, 1))[:COUNTERS]
        self.counters = self.counters[np.argsort(mix(self.counters, 2))].astype(np.int32)
        self.counters[-1] = PROBED_COUNTER
        head = np.array([0.17, 0.15, 0.115, 0.05, 0.04, 0.03, 0.025, 0.02])
        tail = 1 / np.arange(4, COUNTERS - len(head) + 4) ** 0.95
        share = np.concatenate([head, tail * ((1 - head.sum()) / tail.sum())])
        probed = min(0.33, 0.0074 + 60_000 / rows)
        self.share = share * ((1 - probed) / share[:-1].sum())
        self.share[-1] = probed
        self.pages = np.maximum(3, (self.share * rows * 0.4).astype(np.int64))
        slots = np.concatenate([[0], np.cumsum(np.bincount(daily_hours(), minlength=24))])
        self.hours = slots / slots[-1]


def daily_hours():
    """Hours of the day, each as often as people browse then."""
    return np.repeat(np.arange(24), [3, 2, 1, 1, 1, 2, 3, 5, 7, 9, 10, 11, 11, 11, 11, 11, 10, 10, 10, 11, 12, 12, 9, 6])


@dataclass
class Batch:
    """One sorted run of rows. Arrays named `visit_*` have one element a visit, all others one a hit."""
    world: World
    first: int
    rows: int
    seed: int
    columns: dict = field(default_factory=dict)

    def record_batch(self):
        self.random = np.random.default_rng([self.seed, self.first // BATCH_ROWS])
        self.draw_visits()
        self.draw_hits()
        self.describe_users()
        self.describe_windows()
        self.describe_pages()
        self.describe_rest()
        arrays = [pa.array(self.columns.pop(name), schema.ARROW[kind]) for name, kind in schema.COLUMNS]
        return pa.record_batch(arrays, schema=schema.arrow_schema())

    def power(self, count, size, exponent):
        """Numbers in [0, count); number i has a density like i ** (1 / exponent - 1)."""
        return (self.random.random(size) ** exponent * count).astype(np.int64)

    def draw_visits(self):
        """Who was where, on what day, from when on, and how many pages they saw; sorted like the table."""
        count = max(1, self.rows * 13 // (HITS_PER_VISIT * 10))
        hits = self.random.geometric(1 / HITS_PER_VISIT, count)
        while hits.sum() < self.rows:
            hits = np.concatenate([hits, self.random.geometric(1 / HITS_PER_VISIT, count)])
        count = int(np.searchsorted(np.cumsum(hits), self.rows)) + 1
        hits = hits[:count]
        hits[-1] -= hits.sum() - self.rows
        counter = np.searchsorted(np.cumsum(self.world.share[:-1]), self.random.random(count))
        user = self.power(self.world.users, count, 1.5)
        if self.first == 0:
            user[count // 2] = self.world.users                     # the number that user_ids maps to PROBED_USER
        weekday = (np.arange(schema.DAYS)) % 7                      # 1 July 2013 was a Monday
        days = np.cumsum(np.where(weekday >= 5, 0.8, 1.0))
        day = np.searchsorted(days / days[-1], self.random.random(count))
        hour = np.searchsorted(self.world.hours, self.random.random(count), side="right") - 1
        start = hour * 3600 + self.random.integers(0, 3600, count)
        order = np.lexsort([start, self.user_ids(user), day, self.world.counters[counter]])
        self.visit_hits, self.visit_counter, self.visit_user = hits[order], counter[order], user[order]
        self.visit_day, self.visit_start = day[order], start[order]
        self.visit_source = self.choose(dict(enumerate(SOURCES.values())), self.random.integers(0, SLOTS, count), np.int8)

    def user_ids(self, user):
        return np.where(user == self.world.users, PROBED_USER, (mix(user, 100) >> np.uint64(1)).astype(np.int64))

    @staticmethod
    def choose(weights, draws, dtype=None):
        """For each draw in [0, SLOTS) one of the values of {value: weight}."""
        bounds = np.cumsum(list(weights.values())) / sum(weights.values())
        values = np.array(list(weights), dtype or (object if isinstance(next(iter(weights)), str) else np.int32))
        slots = np.searchsorted(bounds, (np.arange(SLOTS) + 0.5) / SLOTS)
        return values[slots[draws]] if values.dtype != object else pa.array(values, pa.string()).take(pa.array(slots)).take(
            pa.array(draws))

    def spread(self, per_visit):
        """An array with one element a visit, repeated for each of its hits."""
        return per_visit[self.visit] if isinstance(per_visit, np.ndarray) else per_visit.take(pa.array(self.visit))

    def draw_hits(self):
        """Times, users and numbers of the rows."""
        count, world, columns = len(self.visit_hits), self.world, self.columns
        self.visit = np.repeat(np.arange(count), self.visit_hits)
        start = np.concatenate([[0], np.cumsum(self.visit_hits)[:-1]])
        self.place = np.arange(self.rows) - start[self.visit]           # 0 is the page on which the visitor landed
        gaps = np.cumsum(self.random.exponential(45, self.rows))
        second = self.visit_start[self.visit] + (gaps - gaps[start][self.visit])
        second = np.minimum(second, 86_399).astype(np.int64)
        self.day = self.visit_day[self.visit]
        epoch_day = (schema.FIRST_DAY - schema.EPOCH).days
        time = (epoch_day + self.day) * 86_400 + second
        row = self.first + np.arange(self.rows)
        columns["WatchID"] = ((mix(row, self.seed) >> np.uint64(2)) + np.uint64(1 << 62)).astype(np.int64)
        columns["EventTime"] = time * 1_000_000
        columns["EventDate"] = (epoch_day + self.day).astype(np.int32)
        columns["CounterID"] = world.counters[self.visit_counter][self.visit]
        columns["UserID"] = self.spread(self.user_ids(self.visit_user))
        skew = self.random.integers(-90, 90, count)[self.visit]
        columns["ClientEventTime"] = (time + skew) * 1_000_000
        columns["LocalEventTime"] = (time + skew // 30) * 1_000_000

    def describe_users(self):
        """What hangs on the user alone: place, network address, machine, person."""
        user, columns = self.visit_user, self.columns
        for number, (name, weights) in enumerate(CHOICES_BY_USER.items()):
            columns[name] = self.spread(self.choose(weights, below(user, SLOTS, 200 + number)))
        region = ((mix(user, 101) >> np.uint64(40)) / 2.0 ** 24) ** 4 * 4000
        region = np.where(below(user, 100, 102) < 18, 229, 1 + below(region.astype(np.int64), 100_000, 103))
        columns["RegionID"] = self.spread(region.astype(np.int32))
        shared = below(user, 100, 104) < 12                             # offices and providers behind one address
        office = (((mix(user, 105) >> np.uint64(40)) / 2.0 ** 24) ** 3 * 3000).astype(np.int64)
        address = (mix(np.where(shared, office, user + 10_000), 106) >> np.uint64(32)).astype(np.int64) - (1 << 31)
        address = np.clip(address, 100 - (1 << 31), None).astype(np.int32)
        moved = self.random.random(len(user)) < 0.06                    # on the road
        address = np.where(moved, self.random.integers(-1 << 30, 1 << 30, len(user)), address).astype(np.int32)
        columns["ClientIP"] = self.spread(address)
        columns["RemoteIP"] = self.spread(np.where(below(user, 10, 107) == 0, address ^ 255, address))
        columns["IPNetworkID"] = self.spread(below(address.astype(np.int64) >> 10, 4_000_000, 108).astype(np.int32))
        unique = np.where(below(user, 4, 109) == 0, 0, mix(user, 110) >> np.uint64(1))
        columns["FUniqID"] = self.spread(unique.astype(np.int64))
        interests = np.where(below(user, 5, 111) < 2, 0, mix(user, 112) & mix(user, 113) & np.uint64(0x7FFF))
        columns["Interests"] = self.spread(interests.astype(np.int16))

    def describe_windows(self):
        """Machines: desk or hand, screen, and the window, which people resize."""
        user, columns, random = self.visit_user, self.columns, self.random
        mobile = below(user, 100, 120) < 7
        model = np.where(mobile & (below(user, 10, 121) < 8), 1 + below(user, len(MODELS) ** 2, 122) // len(MODELS)
                         * below(user, 8, 123) // 8, 0)
        columns["IsMobile"] = self.spread(mobile.astype(np.int16))
        columns["MobilePhoneModel"] = pa.array(["", *MODELS]).take(pa.array(self.spread(model)))
        columns["MobilePhone"] = self.spread(np.where(model > 0, MODEL_MAKES[model - 1], 0).astype(np.int16))
        screens = []
        for side in (0, 1):
            desktop = self.choose(dict(enumerate(DESKTOPS.values())), below(user, SLOTS, 124))
            phone = self.choose(dict(enumerate(PHONES.values())), below(user, SLOTS, 124))
            screens.append(np.where(mobile, np.array([size[side] for size in PHONES])[phone],
                                    np.array([size[side] for size in DESKTOPS])[desktop]))
        width, height = (self.spread(side) for side in screens)
        columns["ResolutionWidth"], columns["ResolutionHeight"] = width.astype(np.int16), height.astype(np.int16)
        full = random.random(self.rows) < 0.6
        columns["WindowClientWidth"] = np.where(full, width - 17 * random.integers(0, 2, self.rows),
                                                width * random.integers(400, 1000, self.rows) // 1000).astype(np.int16)
        columns["WindowClientHeight"] = (height * random.integers(450, 960, self.rows) // 1000).astype(np.int16)

    def describe_pages(self):
        """Pages seen, where the visitor came from, what they had searched for; and the texts of all that."""
        world, random, columns, rows = self.world, self.random, self.columns, self.rows
        counter = self.visit_counter[self.visit]
        pages = world.pages[counter]
        page = (random.random(rows) ** 2.5 * pages).astype(np.int64)
        page[random.random(rows) < np.where(counter == COUNTERS - 1, 0.45, 0.08)] = 0
        refresh = (random.random(rows) < 0.14) & (self.place > 0)
        page[refresh] = page[np.flatnonzero(refresh) - 1]
        columns["IsRefresh"] = refresh.astype(np.int16)
        source, landed = self.visit_source[self.visit], self.place == 0
        searched = (source == 1) & (landed | (random.random(rows) < 0.02))
        before = np.where(landed, -1, np.concatenate([[0], page[:-1]]))  # the page from which one clicked
        columns["TraficSourceID"] = np.where(landed | (source == 4), TRAFFIC_SOURCE[source], -1).astype(np.int16)
        engine = self.spread(self.choose(dict(enumerate(ENGINES)), random.integers(0, SLOTS, len(self.visit_hits))))
        columns["SearchEngineID"] = np.where(searched, ENGINE_IDS[engine], 0).astype(np.int16)
        network = self.choose(ADVERTISERS, random.integers(0, SLOTS, rows))
        columns["AdvEngineID"] = np.where((source == 3) & landed, network, 0).astype(np.int16)
        phrase = self.spread(self.power(world.phrases, len(self.visit_hits), 1.7))
        self.write_texts(counter, page, before, searched, np.where(landed, source, -1), engine, phrase)

    def write_texts(self, counter, page, before, searched, source, engine, phrase):
        """URL, Title, Referer, SearchPhrase and the hashes. Each distinct page and phrase is spelled once a batch."""
        columns, random, rows = self.columns, self.random, self.rows
        site = self.world.counters[counter].astype(np.int64)
        came = (source == 2) | (source == 4)                            # from another site: its number, and one of its pages
        other_site = np.where(came, self.world.counters[self.power(COUNTERS, rows, 4)], site)
        other_page = np.where(came, self.power(200, rows, 3), np.maximum(before, 0))
        unique, position = np.unique(np.concatenate([site << 32 | page, other_site << 32 | other_page]), return_inverse=True)
        sites, pages = unique >> 32, unique & 0xFFFFFFFF
        urls = words.urls(sites, pages)
        url = pa.array(position[:rows])
        columns["URL"] = urls.take(url)
        columns["Title"] = words.titles(sites, pages).take(url)
        probed = (sites == PROBED_COUNTER) & (pages == 0)
        columns["URLHash"] = np.where(probed, PROBED_URL_HASH, mix(unique, 130).astype(np.int64))[position[:rows]]
        numbers, spelled = np.unique(np.where(searched, phrase, -1), return_inverse=True)
        columns["SearchPhrase"] = spelled_keys(numbers, words.phrases).take(pa.array(spelled))
        searches, found = np.unique(np.where(source == 1, engine + 8 * phrase, -1), return_inverse=True)
        results = spelled_keys(searches, lambda keys: words.search_urls(keys % 8, keys // 8))
        empty = (source == 0) | (random.random(rows) < np.where(source == 3, 0.5, 0.1))    # browsers may keep it
        choice = np.where(empty, len(urls) + len(results), np.where(source == 1, len(urls) + found, position[rows:]))
        columns["Referer"] = pa.concat_arrays([urls, results, pa.array([""])]).take(pa.array(choice))
        hashes = np.concatenate([np.where(probed, PROBED_REFERER_HASH, mix(unique, 131).astype(np.int64)),
                                 words.search_hashes(searches % 8, searches // 8).astype(np.int64), [EMPTY_REFERER_HASH]])
        columns["RefererHash"] = hashes[choice]
        original = pa.array(np.where(random.random(rows) < 0.12, position[:rows], len(urls)))
        columns["OriginalURL"] = pa.concat_arrays([urls, pa.array([""])]).take(original)
        social = pa.array(np.where(random.random(rows) < 0.004, position[rows:], len(urls)))
        columns["SocialSourcePage"] = pa.concat_arrays([urls, pa.array([""])]).take(social)
        for name, key, salt, exponent in (("URLCategoryID", site, 134, 500), ("RefererCategoryID", other_site, 134, 500)):
            columns[name] = np.where(below(key, 3, salt + 1) == 0, 0, 9000 + below(key, exponent, salt)).astype(np.int16)
        for name, key in (("URLRegionID", site), ("RefererRegionID", other_site)):
            columns[name] = np.where(below(key, 3, 136) == 0, 0, 1 + below(key, 20_000, 137)).astype(np.int32)
        columns["CounterClass"] = np.where(below(site, 20, 138) == 0, 1, 0).astype(np.int16)

    def describe_rest(self):
        """Flags and marks of visits and hits; timings; what is empty in nearly every row."""
        columns, random, rows, visits = self.columns, self.random, self.rows, len(self.visit_hits)
        for name, weights in CHOICES_BY_VISIT.items():
            columns[name] = self.spread(self.choose(weights, random.integers(0, SLOTS, visits)))
        for name, weights in CHOICES_BY_HIT.items():
            columns[name] = self.choose(weights, random.integers(0, SLOTS, rows))
        columns["HID"] = random.integers(0, 1 << 30, rows, np.int32)
        for name in ("WindowName", "OpenerName"):
            mark = np.where(random.random(visits) < 0.6, random.integers(-(1 << 16), 1 << 16, visits), -1)
            columns[name] = self.spread(mark.astype(np.int32))
        columns["HistoryLength"] = (self.spread(random.geometric(0.3, visits)) + self.place).astype(np.int16)
        timed = random.random(rows) < 0.25
        for name, median in (("SendTiming", 150), ("DNSTiming", 20), ("ConnectTiming", 60), ("ResponseStartTiming", 300),
                             ("ResponseEndTiming", 450), ("FetchTiming", 900)):
            milliseconds = np.zeros(rows, np.int32)
            milliseconds[timed] = np.minimum(random.lognormal(np.log(median), 1.1, int(timed.sum())), 120_000)
            columns[name] = milliseconds
        ordered = random.random(rows) < 0.001
        columns["ParamPrice"] = np.where(ordered, random.integers(10, 1_000_000, rows), 0)
        order = pa.array(random.integers(0, 1 << 40, rows)).cast(pa.string())
        columns["ParamOrderID"] = pc.if_else(pa.array(ordered), order, pa.scalar(""))
        campaign = self.spread(np.where(random.random(visits) < 0.03, random.integers(1, 3000, visits), 0))
        for name, share in (("OpenstatCampaignID", 3), ("OpenstatAdID", 5), ("OpenstatSourceID", 7), ("UTMCampaign", 1)):
            number = np.where(campaign % share == 0, campaign, 0)
            columns[name] = pc.if_else(pa.array(number > 0), pa.array(number).cast(pa.string()), pa.scalar(""))


def spelled_keys(keys, spell):
    """The text of each key; a first key of -1 stands for no text."""
    if keys[0] >= 0:
        return spell(keys)
    return pa.concat_arrays([pa.array([""]), spell(keys[1:])])
