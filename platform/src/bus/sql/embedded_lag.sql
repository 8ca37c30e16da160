SELECT subscription, count(*) FILTER (WHERE claimed_until IS NULL OR claimed_until < $1) AS waiting,
       count(*) FILTER (WHERE claimed_until >= $1) AS at_work, count(*) FILTER (WHERE attempts > 1) AS tried_again
FROM bus.deliveries
GROUP BY subscription
