//! The one way to do tenancy, transactions, outbox, inbox, bus, idempotency, problems, auth and ticks.
