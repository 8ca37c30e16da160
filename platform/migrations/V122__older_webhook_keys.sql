-- Keys before `key_before`, the newest first: changed twice within a day, all of them sign until `key_before_until`. A process of an earlier
-- release knows nothing of them and signs with two.
ALTER TABLE bus.webhook_endpoints ADD COLUMN keys_older TEXT[] NOT NULL DEFAULT '{}';
