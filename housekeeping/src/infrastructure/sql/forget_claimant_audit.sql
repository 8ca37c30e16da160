UPDATE housekeeping.audit_events h SET payload = h.payload - ARRAY['claimantName', 'claimantPhone']
WHERE h.tenant_id = $1 AND h.aggregate_kind = 'lost_item' AND h.payload ?| ARRAY['claimantName', 'claimantPhone']
  AND h.aggregate_id IN (SELECT l.id FROM housekeeping.lost_and_found l WHERE l.tenant_id = $1 AND l.reservation_id = ANY ($2::TEXT[]))
