-- A week of a house is found by its days, however many years there are.
CREATE INDEX shifts_day_idx ON staff.shifts (tenant_id, property_id, local_date)
