-- What is kept for a time is old by the moment that the purge names (`app.now`), not by the server's clock. Dead letters go after thirty days.
SELECT bus.keep_for_a_time('housekeeping', 30);

DROP POLICY sug_retention ON housekeeping.routing_suggestions;
CREATE POLICY sug_retention ON housekeeping.routing_suggestions TO melmastoon_operator
  USING (generated_at < bus.purge_moment() - interval '90 days');
DROP POLICY arr_retention ON housekeeping.arrivals;
CREATE POLICY arr_retention ON housekeeping.arrivals TO melmastoon_operator
  USING (over_at < bus.purge_moment() - interval '90 days');
