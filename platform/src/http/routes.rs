//! Routes that carry their roles: there is no way to add one without saying who may use it.

use axum::Router;
use axum::handler::Handler;
use axum::http::Method;
use axum::middleware;
use axum::routing::{MethodFilter, MethodRouter, on};

use super::Gate;
use crate::auth::Role;

/// A route as the golden file lists it.
#[derive(Clone, Debug)]
pub struct RouteSpec {
    pub method: Method,
    pub path: String,
    pub roles: &'static [Role],
}

/// Routes of one context below one prefix.
#[derive(Debug)]
pub struct Routes<S> {
    prefix: &'static str,
    gate: Gate,
    router: Router<S>,
    specs: Vec<RouteSpec>,
}

impl<S: Clone + Send + Sync + 'static> Routes<S> {
    pub fn new(prefix: &'static str, gate: Gate) -> Self {
        Self { prefix, gate, router: Router::new(), specs: Vec::new() }
    }

    #[must_use]
    pub fn get<H, T>(self, path: &str, roles: &'static [Role], handler: H) -> Self
    where
        H: Handler<T, S>,
        T: 'static,
    {
        self.add(Method::GET, MethodFilter::GET, path, roles, handler)
    }

    #[must_use]
    pub fn post<H, T>(self, path: &str, roles: &'static [Role], handler: H) -> Self
    where
        H: Handler<T, S>,
        T: 'static,
    {
        self.add(Method::POST, MethodFilter::POST, path, roles, handler)
    }

    #[must_use]
    pub fn patch<H, T>(self, path: &str, roles: &'static [Role], handler: H) -> Self
    where
        H: Handler<T, S>,
        T: 'static,
    {
        self.add(Method::PATCH, MethodFilter::PATCH, path, roles, handler)
    }

    #[must_use]
    pub fn put<H, T>(self, path: &str, roles: &'static [Role], handler: H) -> Self
    where
        H: Handler<T, S>,
        T: 'static,
    {
        self.add(Method::PUT, MethodFilter::PUT, path, roles, handler)
    }

    fn add<H, T>(mut self, method: Method, filter: MethodFilter, path: &str, roles: &'static [Role], handler: H) -> Self
    where
        H: Handler<T, S>,
        T: 'static,
    {
        let path = format!("{}{path}", self.prefix);
        let gate = self.gate.clone();
        let guarded: MethodRouter<S> = on(filter, handler)
            .layer(middleware::from_fn(move |request, next| gate.clone().admit(roles, request, next)));
        self.router = self.router.route(&path, guarded);
        self.specs.push(RouteSpec { method, path, roles });
        self
    }

    /// The router with its state, and the list of what it serves.
    pub fn finish(self, state: S) -> (Router, Vec<RouteSpec>) {
        (self.router.with_state(state), self.specs)
    }
}
