//! The product as its operators see it: the real binary is started, talked to over HTTP, stopped and killed.
//!
//! Every test has a data folder and a port of its own. Two tests run at a time: each has a PostgreSQL and a process or
//! more, and a machine that gasps says nothing about the product.

mod client;
mod deliveries;
mod house;
mod own_server;
mod process;
mod proxy;
mod replicas;
mod seed;
mod session;
mod side_work;
mod story;
mod stream;

mod a_guest_checks_out;
mod backup;
mod busy;
mod cache;
mod command_line;
mod contracts_command;
mod crashes;
mod database_dies;
mod demo;
mod doctor;
mod encryption;
mod faults;
mod importing;
mod importing_bookings;
mod issuers;
mod many_processes;
mod own_database;
mod parts;
mod planning;
mod relay_faults;
mod relay_hangs;
mod rollout;
mod stopping;
mod web_doors;
mod webhooks;
