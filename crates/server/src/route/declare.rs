//! `routes!`: the one declaration of an area's routes.

/// Declares an area and its routes as `AREA`. Everything shown here has to be said, in this order:
///
/// ```text
/// routes! {
///     area "Accounts", "Registering and signing in.";
///
///     /// Creates an account.
///     ///
///     /// What a reader of the description should know.
///     POST "/auth/register" => register {
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
/// `takes` lists what the handler gets behind the desk and the call; the call itself is written by the macro, so a handler
/// whose parameters differ does not compile. Fields of [`Options`](crate::route::Options) may follow `events`.
macro_rules! routes {
    (area $area:literal, $about:literal; $(
        #[doc = $summary:literal] $(#[doc = $line:literal])*
        $method:ident $path:literal => $handler:ident {
            caller: $caller:ident,
            limits: [$($bucket:ident),* $(,)?],
            takes: ($($argument:ident: $part:ty),* $(,)?),
            answers: { $($status:literal: $answer:ty),+ $(,)? },
            refusals: [$($refusal:expr),* $(,)?],
            events: [$($event:ident),* $(,)?]
            $(, $option:ident: $value:expr)* $(,)?
        }
    )+) => {
        pub(crate) static AREA: $crate::route::Area = $crate::route::Area { name: $area, about: $about, routes: ROUTES };

        static ROUTES: &[$crate::route::Route] = &[$($crate::route::Route {
            method: actix_web::http::Method::$method,
            path: $path,
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
            caller: $crate::route::Caller::$caller,
            limits: &[$(octavo_core_model::Bucket::$bucket),*],
            takes: &[$(<$part as $crate::route::Part>::describe),*],
            answers: &[$($crate::route::AnswerDoc {
                status: $status,
                shape: $crate::route::Shape::of::<$answer>(),
            }),+],
            refusals: &[$($refusal),*],
            events: &[$(octavo_core_model::event::EventType::$event),*],
            options: $crate::route::Options { $($option: $value,)* ..$crate::route::Options::PLAIN },
            run: |visit| Box::pin(async move {
                #[allow(unused_mut, reason = "a route may take nothing")]
                let mut visit = visit;
                $(let $argument = <$part as $crate::route::Part>::take(&mut visit);)*
                let (desk, call) = visit.start();
                $handler(desk, call, $($argument),*).await
            }),
        }),+];
    };
}

pub(crate) use routes;
