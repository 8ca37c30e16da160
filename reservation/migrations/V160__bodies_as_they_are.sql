-- A booking is a little over two kilobytes, where the database begins to compress: 30 microseconds with every write for a quarter of the
-- space, and once more whenever it is read. Up to half a page it is kept as it is.
ALTER TABLE reservation.reservations SET (toast_tuple_target = 4080);
