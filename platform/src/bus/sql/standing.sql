SELECT (SELECT count(*) FROM bus.set_aside) AS set_aside,
       (SELECT count(*) FROM bus.webhook_endpoints WHERE state = 'active') AS active,
       (SELECT count(*) FROM bus.webhook_endpoints WHERE state = 'paused' AND paused_because IS NULL) AS paused,
       (SELECT count(*) FROM bus.webhook_endpoints WHERE state = 'paused' AND paused_because IS NOT NULL) AS given_up,
       (SELECT count(*) FROM bus.webhook_deliveries WHERE state = 'waiting') AS waiting
