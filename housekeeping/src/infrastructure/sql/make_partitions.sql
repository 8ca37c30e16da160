SELECT housekeeping.make_task_partitions($1::DATE, $2) AS made
