DROP INDEX CONCURRENTLY IF EXISTS housekeeping.sug_tenant_generated_idx;
CREATE INDEX CONCURRENTLY sug_tenant_generated_idx ON housekeeping.routing_suggestions (tenant_id, property_id, generated_at);
