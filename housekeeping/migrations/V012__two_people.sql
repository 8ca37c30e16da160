-- Work for two: those who help whoever a task is given to. They may begin, pause and end it as well.
ALTER TABLE housekeeping.housekeeping_tasks ADD COLUMN helper_staff_ids TEXT[] NOT NULL DEFAULT '{}';
