-- Heard by every process that is there, after the commit; who comes later remembers nothing.
SELECT pg_notify('housekeeping_settings', $1::TEXT)
