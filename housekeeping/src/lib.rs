//! Housekeeping: tasks, rooms, checklists, inspections, and the board that shows them.
