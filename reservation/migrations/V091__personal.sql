-- What a guest asks to be forgotten is taken out of the audit too; that it happened, and who did it, stays.
GRANT UPDATE (payload) ON reservation.audit_events TO melmastoon_app;
