-- What the guest wished for and why it came to nothing, in words; what kind of wish and of end it was stays.
UPDATE reservation.reservations r SET body = r.body
  || jsonb_build_object('special_requests', coalesce((
       SELECT jsonb_agg(w.one || '{"free_text": null}' ORDER BY w.place)
       FROM jsonb_array_elements(r.body -> 'special_requests') WITH ORDINALITY AS w (one, place)), '[]'))
  || CASE WHEN jsonb_typeof(r.body -> 'cancellation') = 'object'
       THEN jsonb_build_object('cancellation', r.body -> 'cancellation' || '{"reason": ""}') ELSE '{}' END
  || '{"left_early_because": null}'
WHERE r.tenant_id = $1 AND r.guest_id = $2
  AND (jsonb_array_length(coalesce(r.body -> 'special_requests', '[]')) > 0
       OR jsonb_typeof(r.body -> 'cancellation') = 'object' OR jsonb_typeof(r.body -> 'left_early_because') = 'string')
