"""Window functions that are no aggregates, registered with @window: each computes a whole column with numpy.

    ranking     row_number, rank, dense_rank, percent_rank, cume_dist, ntile
    neighbours  lag, lead, first_value, last_value, nth_value: numbers of the rows whose values are wanted

Any aggregate is a window function, too.
"""
