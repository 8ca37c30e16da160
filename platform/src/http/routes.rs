//! Routes that carry their roles and describe themselves: there is no way to add one without saying who may use it and what
//! it does.

use axum::Router;
use axum::handler::Handler;
use axum::http::Method;
use axum::middleware;
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter, on};

use super::Gate;
use super::describe::{About, Described, Operation};
use super::extract::ServedBy;
use super::problem::Problem;
use crate::auth::Role;

/// A route as the golden file lists it and the document describes it.
#[derive(Clone, Debug)]
pub struct RouteSpec {
    pub method: Method,
    pub path: String,
    /// None: open to everybody.
    pub roles: &'static [Role],
    pub about: About,
    /// The context that serves it.
    pub context: &'static str,
    /// The handler's name, for the operation's id.
    pub handler: &'static str,
    pub describe: fn(&mut Operation<'_>),
}

/// Routes of one context below one prefix.
#[derive(Debug)]
pub struct Routes<S> {
    context: &'static str,
    prefix: &'static str,
    gate: Gate,
    router: Router<S>,
    specs: Vec<RouteSpec>,
}

/// What a context serves: its router, and what stands in it.
#[derive(Debug)]
pub struct Served {
    pub router: Router,
    pub specs: Vec<RouteSpec>,
}

macro_rules! methods {
    ($($verb:ident = $method:ident),*) => {$(
        #[must_use]
        pub fn $verb<H, T>(self, path: &str, roles: &'static [Role], handler: H, about: impl Into<About>) -> Self
        where
            H: Handler<T, S> + Described<T>,
            T: 'static,
        {
            self.add(Method::$method, MethodFilter::$method, path, roles, handler, about.into())
        }
    )*};
}

impl<S: Clone + Send + Sync + 'static> Routes<S> {
    pub fn new(context: &'static str, prefix: &'static str, gate: Gate) -> Self {
        Self { context, prefix, gate, router: Router::new(), specs: Vec::new() }
    }

    methods!(get = GET, post = POST, patch = PATCH, put = PUT, delete = DELETE);

    fn add<H, T>(
        mut self,
        method: Method,
        filter: MethodFilter,
        path: &str,
        roles: &'static [Role],
        handler: H,
        about: About,
    ) -> Self
    where
        H: Handler<T, S> + Described<T>,
        T: 'static,
    {
        let path = format!("{}{path}", self.prefix);
        let gate = self.gate.clone();
        let context = self.context;
        let guarded: MethodRouter<S> =
            on(filter, handler).layer(middleware::from_fn(move |mut request: axum::extract::Request, next| {
                request.extensions_mut().insert(ServedBy(context));
                let admitted = gate.clone().admit(roles, request, next);
                async move { in_the_name_of(context, admitted.await) }
            }));
        self.router = self.router.route(&path, guarded);
        let handler = std::any::type_name::<H>();
        self.specs.push(RouteSpec { method, path, roles, about, context, handler, describe: H::describe });
        self
    }

    /// A route that is open to everybody, for those who have no token yet.
    #[must_use]
    pub fn open<H, T>(mut self, path: &str, handler: H, about: impl Into<About>) -> Self
    where
        H: Handler<T, S> + Described<T>,
        T: 'static,
    {
        let path = format!("{}{path}", self.prefix);
        let (method, context) = (Method::POST, self.context);
        let told = middleware::map_response(async move |response: Response| in_the_name_of(context, response));
        let open: MethodRouter<S> = on(MethodFilter::POST, handler).layer(told);
        self.router = self.router.route(&path, open);
        let (about, handler, describe) = (about.into(), std::any::type_name::<H>(), H::describe);
        self.specs.push(RouteSpec { method, path, roles: &[], about, context, handler, describe });
        self
    }

    /// The router with its state, and the list of what it serves.
    pub fn finish(self, state: S) -> Served {
        Served { router: self.router.with_state(state), specs: self.specs }
    }
}

/// A value that is refused while the request is read has the same code as one that its context refuses: whoever asks sees one name.
fn in_the_name_of(context: &str, mut response: Response) -> Response {
    if let Some(problem) = response.extensions_mut().get_mut::<Problem>() {
        problem.belongs_to(context);
    }
    response
}
