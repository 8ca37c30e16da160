-- Every subscription, also one that is not behind.
SELECT s.subscription, count(d.subscription) FILTER (WHERE d.claimed_until IS NULL OR d.claimed_until < $1) AS waiting,
       count(d.subscription) FILTER (WHERE d.claimed_until >= $1) AS at_work, count(d.subscription) FILTER (WHERE d.attempts > 1) AS tried_again
FROM (SELECT subscription FROM bus.subscriptions WHERE retired_at IS NULL
      UNION SELECT subscription FROM bus.deliveries) s
LEFT JOIN bus.deliveries d ON d.subscription = s.subscription
GROUP BY s.subscription
ORDER BY s.subscription
