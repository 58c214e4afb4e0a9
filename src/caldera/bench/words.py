"""The text of the generated web: hosts, addresses, titles and search phrases as functions of numbers.

Every text here is a pure function of integer keys, evaluated for whole arrays at once: the key picks words from small
vocabularies through a hash and Arrow joins the pieces. So the same page has the same address, title and hashes wherever
it occurs, in any batch of any run, and nothing has to be remembered.

    site, page ──mix──▶ numbers ──take──▶ pieces ──join──▶ URL, Title
    phrase     ──mix──▶ numbers ──take──▶ words  ──join──▶ SearchPhrase, Referer of the search engine

Russian stands for itself in titles and phrases (two bytes a letter) and percent-encoded in addresses, as in the logs of
2013.
"""
from urllib.parse import quote

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

RUSSIAN = """авто авиабилеты аренда аниме апрель банк бесплатно билеты блог большой браслет быстро ванна ваза велосипед
весна вечер видео вклад вода война волосы время все выбор газета где город гостиница график данные два дача день деньги
дети для дизайн доллар дом доска дорога друзья ёлка ещё женский жизнь журнал завтра закон зачем звезда здоровье зима игра
игры из институт история как калькулятор карта карты каталог квартира кино класс клуб книга когда кожа колесо компьютер
концерт коляска красивый кредит кружка купить курс кухня лагерь ледовый лето лучший магазин май мальчик машина мебель
метро мир мобильный мода можно молоко море москва музыка на найти недорого новости новый ночь о обои обувь объявления
одежда окна онлайн отдых отзывы открытки официальный пальто париж песня петербург платье погода под поезд пожарный поиск
полный почта правила праздник природа прогноз продажа программа работа радио расписание ребёнок регион рецепт рисунок
россия русский ручка рынок с сад сайт самара санкт свадьба своими сезон серия скачать сколько слова смотреть собака советы
сочи спорт стихи столица страна студент сумка схема такси театр телефон тест тур турция тысяча урок условия фильм фото
футбол хлеб холодильник цветы цена цены чай час человек что шапка школа шоу экзамен электронный энциклопедия юбка юрист
язык яблоко январь""".split()

LATIN = """samsung galaxy windows office online iphone youtube excel mp3 vista torrent minecraft photoshop java opera
skype audi toyota honda lego gta sims wifi hd dvd 2012 2013""".split()

SLUGS = """about account action advert album article auto avia banner basket board book brand build cards cars catalog
chat child city classic club comment company contact cook credit design detail doctor dom economy event fashion film
finance flat food football forum foto gallery game garden gift group guide help history home hotel house index info item
job kino label law lesson life list login magazine main map market master member mobile model money moscow movie music
news notebook office offer order page party person phone photo planet play portal post price product profile radio realty
recipe region rent report review road sale school search section series service shop show sport staff star stock story
style tag tech theatre ticket topic tour town travel user video view weather wedding world yard zodiac""".split()

SECTIONS = ["", "/news", "/catalog", "/forum", "/board", "/search", "/photo", "/video", "/user", "/blog", "/auto",
            "/realty", "/job", "/tags", "/map", "/price", "/index.php", "/product", "/topic", "/wiki", "/games", "/music",
            "/kino", "/ru/articles", "/html/main", "/cgi-bin/show", "/m", "/arhiv/2013"]
# What precedes and follows the page's number.
TAILS = [("", ""), ("/", ""), ("/", ".html"), ("/", "/"), ("?id=", ""), (".php?page=", "&sort=date"),
         ("?showtopic=", "&st=20"), ("/page", "/#comments"), ("?cat=12&item=", "&currency=rur&region=213"), ("-", ".htm")]
DOMAINS = [".ru", ".com", ".ru", ".net", ".ru", ".org", ".ua", ".ru", ".kz", ".by", ".info", ".su"]
SCHEMES = ["http://", "http://www.", "http://", "https://", "http://m.", "http://"]
SITE_SUFFIXES = ["", " | Главная", " - официальный сайт", " — портал", " :: Форум", " - Яндекс.Видео", " » Новости 2013"]
SEARCH = ["http://yandex.ru/yandsearch?lr=213&text=", "https://www.google.ru/url?sa=t&rct=j&q=",
          "http://go.mail.ru/search?q=", "http://nova.rambler.ru/search?query=", "http://www.bing.com/search?q=",
          "http://yandex.ua/yandsearch?text="]
GOOGLE_EVERY = 512              # one page in so many is about Google; LIKE '%google%' must find little, not nothing


def mix(values, salt=0):
    """A 64-bit hash of each integer (the finaliser of SplitMix64: Steele, Lea, Flood 2014). Bijective for one salt."""
    with np.errstate(over="ignore"):
        h = np.asarray(values).astype(np.uint64) + np.uint64((salt + 1) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF)
        h = (h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        h = (h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return h ^ (h >> np.uint64(31))


def below(values, count, salt=0):
    """A number in [0, count) for each integer, by hash."""
    return ((mix(values, salt) >> np.uint64(32)) * np.uint64(count) >> np.uint64(32)).astype(np.int64)


def taken(texts, numbers, absent=None):
    """texts[number] for each number; null where `absent`."""
    return pa.array(texts).take(pa.array(numbers, mask=absent))


def join(pieces, between=""):
    """The pieces of each row in a row; nulls are left out."""
    return pc.binary_join_element_wise(*pieces, between, null_handling="skip")


def hosts(sites):
    """The address of each site, "http://auto-game17.ru"."""
    sites = np.asarray(sites)
    return join([taken(SCHEMES, below(sites, len(SCHEMES), 1)), taken(SLUGS, below(sites, len(SLUGS), 2)),
                  taken(["", "-", "-"], below(sites, 3, 3)), taken(SLUGS, below(sites, len(SLUGS), 4)),
                  pa.array(sites % 100).cast(pa.string()), taken(DOMAINS, below(sites, len(DOMAINS), 5))])


def urls(sites, pages):
    """The address of each page; page 0 is the site's front page. Distinct pages of one site have distinct addresses."""
    key = (np.asarray(sites, np.int64) << 32) + pages
    front, google = pages == 0, about_google(sites, pages)
    unique, position = np.unique(sites, return_inverse=True)
    tail = below(key, len(TAILS), 13)
    session = below(key, 5, 14) > 0                                 # one page in five carries a session's number
    return join([
        taken(["", "http://translate.google.com/translate?hl=ru&u="], (google & (below(key, 4, 15) == 0)).astype(np.int64)),
        hosts(unique).take(pa.array(position)),
        taken(SECTIONS, below(key, len(SECTIONS), 10), front),
        taken(["/", "/google-", "/docs.google/"], google * (1 + below(key, 2, 16))),
        taken(SLUGS, below(key, len(SLUGS), 11), front), taken(["_", "-", "/", "."], below(key, 4, 17), front),
        taken(SLUGS, below(key, len(SLUGS), 12), front),
        taken([before for before, _ in TAILS], tail, front), pa.array(pages, mask=front).cast(pa.string()),
        taken([after for _, after in TAILS], tail, front),
        taken(["&sid=", "?PHPSESSID=", "#!/", "?from=main&s="], below(key, 4, 18), session | front),
        pa.array(mix(key, 19) >> np.uint64(8), mask=session | front).cast(pa.string())])


def about_google(sites, pages):
    """Which pages are about Google. Front pages never are: they are visited too often."""
    return (below((np.asarray(sites, np.int64) << 32) + pages, GOOGLE_EVERY, 20) == 0) & (pages > 8)


def titles(sites, pages):
    """The title of each page, Russian words and the site's name; one in fifteen has none. Neighbours share theirs."""
    sites = np.asarray(sites, np.int64)
    key = (sites << 32) + (pages >> 1)
    words = [taken(RUSSIAN, skewed(below(key, 1 << 20, 30 + i) / (1 << 20), len(RUSSIAN)), below(key, 8, 40) < i - 2)
             for i in range(9)]
    google = pa.array(np.where(about_google(sites, pages), "Google", None), pa.string())
    name = join([taken(SLUGS, below(sites, len(SLUGS), 2)), taken(SITE_SUFFIXES, below(sites, len(SITE_SUFFIXES), 41))])
    text = pc.binary_join_element_wise(pc.utf8_capitalize(join(words, " ")), google, name, " ", null_handling="skip")
    return pc.if_else(pa.array(below(key, 15, 42) == 0), pa.scalar(""), text)


def skewed(fraction, count):
    """Numbers in [0, count), small ones more often, from fractions in [0, 1)."""
    return (fraction * fraction * count).astype(np.int64)


def words_of(numbers):
    """For each place in a phrase the numbers of its words, and where there is none."""
    length = below(numbers, 6, 60)
    return [(below(numbers, len(RUSSIAN) + len(LATIN), 50 + i), length < i) for i in range(6)]


def phrases(numbers, encoded=False):
    """What people searched for, by number: one to six words; `encoded` as in a query string."""
    vocabulary, between = RUSSIAN + LATIN, " "
    if encoded:
        vocabulary, between = [quote(word) for word in vocabulary], "+"
    return join([taken(vocabulary, word, absent) for word, absent in words_of(numbers)], between)


def search_urls(engines, numbers):
    """The page of results from which a visitor came: the search engine's number and the phrase's."""
    suffix = taken(["", "&clid=1955453", "&cd=3", "&p=1"], below(numbers, 4, 61))
    return join([taken(SEARCH, engines), phrases(numbers, encoded=True), suffix])


def search_hashes(engines, numbers):
    """A hash of each of these addresses. Different numbers may spell one phrase, so it goes by the words."""
    total = mix(np.asarray(engines) * 4 + below(numbers, 4, 61), 62)
    for place, (word, absent) in enumerate(words_of(numbers)):
        total = total + np.where(absent, 0, mix(word, 63 + place)).astype(np.uint64)
    return mix(total)
