-- What the guest wished for, in words; what kind of wish it was stays.
UPDATE reservation.reservations r SET body = jsonb_set(r.body, '{special_requests}', (
  SELECT jsonb_agg(w.one || '{"free_text": null}' ORDER BY w.place)
  FROM jsonb_array_elements(r.body -> 'special_requests') WITH ORDINALITY AS w (one, place)))
WHERE r.tenant_id = $1 AND r.guest_id = $2 AND jsonb_array_length(coalesce(r.body -> 'special_requests', '[]')) > 0
