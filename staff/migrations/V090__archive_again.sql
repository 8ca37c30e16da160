-- The same term, asked once a statement and not once a row.
SELECT bus.archive_after('staff', 'audit_events', 'occurred_at', '24 months');
