UPDATE reservation.audit_events h SET payload = (h.payload - ARRAY['freeText', 'note', 'reason']) #- '{after,reason}'
WHERE h.tenant_id = $1 AND h.aggregate_kind = 'reservation'
  AND (h.payload ?| ARRAY['freeText', 'note', 'reason'] OR h.payload #> '{after,reason}' IS NOT NULL)
  AND h.aggregate_id IN (SELECT r.id FROM reservation.reservations r WHERE r.tenant_id = $1 AND r.guest_id = $2)
