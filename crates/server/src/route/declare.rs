//! `routes!`: the one declaration of the routes of a file.

/// Declares routes as `ROUTES`. Everything shown here is required, in this order:
///
/// ```text
/// routes! {
///     /// Creates an account.
///     ///
///     /// What a reader of the description should know.
///     POST "/auth/register" as registerUser => register {
///         caller: Anyone,
///         limits: [Credentials, Register],
///         takes: (body: Body<RegisterBody>),
///         answers: { 201: Data<Registered> },
///         refusals: [Fault::Conflict(Conflict::Taken("email"))],
///         events: [UserRegistered, WorkspaceCreated],
///     }
/// }
/// ```
///
/// `caller: Inside(RouteAccess::ADMINS)` declares a route inside a workspace. If its path names the workspace, as the
/// first parameter `{workspaceId}`, the gate consumes that parameter, and `takes` lists only those after it.
///
/// `as` names the operation for generated clients: verb and noun, unique, and never changed again. Only routes that
/// are not published go without. A route with several paths lists them, the documented one first, each with a name:
/// `POST "/auth/signup" as registerUser | "/auth/register" as createUser => register`.
///
/// `takes` lists the parameters of the handler after the dispatcher and the call. The macro writes the call of the
/// handler, so a handler whose parameters differ does not compile. Fields of [`Options`](crate::route::Options) may
/// follow `events`.
macro_rules! routes {
    ($(
        #[doc = $summary:literal] $(#[doc = $line:literal])*
        $method:ident $path:literal $(as $operation:ident)?
            $(| $also:literal $(as $other_operation:ident)?)* => $handler:ident {
            caller: $caller:ident $(($access:expr))?,
            limits: [$($bucket:ident),* $(,)?],
            takes: ($($argument:ident: $part:ty),* $(,)?),
            answers: { $($status:literal: $answer:ty),+ $(,)? },
            refusals: [$($refusal:expr),* $(,)?],
            events: [$($event:ident),* $(,)?]
            $(, $option:ident: $value:expr)* $(,)?
        }
    )+) => {
        pub(crate) static ROUTES: &[$crate::route::Route] = &[$($crate::route::Route {
            method: actix_web::http::Method::$method,
            path: $path,
            operation: $crate::route::operation_id!($($operation)?),
            also: &[$($crate::route::Alias {
                path: $also,
                operation: $crate::route::operation_id!($($other_operation)?),
            }),*],
            name: stringify!($handler),
            summary: $summary,
            description: {
                const LINES: &[&str] = &[$($line),*];
                const _: () = assert!(
                    $crate::route::is_described($summary, LINES),
                    "a route needs a summary, a blank line and a description"
                );
                LINES
            },
            caller: $crate::route::Caller::$caller $(($access))?,
            limits: &[$(octavo_core_model::Bucket::$bucket),*],
            takes: &[$(<$part as $crate::route::Part>::describe),*],
            answers: &[$($crate::route::AnswerDoc {
                status: $status,
                shape: $crate::route::Shape::of::<$answer>(),
            }),+],
            refusals: &[$($refusal),*],
            events: &[$(octavo_core_model::event::EventType::$event),*],
            options: $crate::route::Options { $($option: $value,)* ..$crate::route::Options::PLAIN },
            run: |admitted| Box::pin(async move {
                #[allow(unused_mut, reason = "a route may take nothing")]
                let mut admitted = admitted;
                $(let $argument = <$part as $crate::route::Part>::extract(&mut admitted);)*
                let (dispatcher, call) = $crate::dispatcher::Dispatcher::start(admitted);
                $handler(dispatcher, call, $($argument),*).await
            }),
        }),+];
    };
}

/// The id of an operation, if it has one.
macro_rules! operation_id {
    () => {
        None
    };
    ($operation:ident) => {
        Some(stringify!($operation))
    };
}

pub(crate) use {operation_id, routes};
