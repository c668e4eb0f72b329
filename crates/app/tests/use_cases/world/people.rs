//! Users, their devices, and their actions.

use super::{World, fault_of, slot};
use octavo_app::{
    Call, Reply,
    accounts::register::{self, Registered, Registration},
    sessions::{
        self, SessionPage, SignedIn,
        login::{self, Login},
        logout, refresh,
    },
};
use octavo_core_model::{
    Claims, Fault, Role, Secret, Token, TokenHash, TokenKind,
    account::User,
    id::{SessionId, UserId, WorkspaceId},
    session::{Session, SessionStatus},
    text::{Email, Name, NewPassword},
    workspace::Workspace,
};
use octavo_ports::store::Record;
use octavo_testkit::make;

pub(crate) const PASSWORD: &str = "Correct-Horse-7";

/// A user with an account.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) id: UserId,
    pub(crate) email: Email,
    pub(crate) password: String,
    pub(crate) workspace: WorkspaceId,
}

/// A program with which a user is signed in.
#[derive(Clone, Debug)]
pub(crate) struct Device {
    pub(crate) claims: Claims,
    pub(crate) session: SessionId,
    pub(crate) refresh: String,
}

impl From<&SignedIn> for Device {
    fn from(signed_in: &SignedIn) -> Self {
        Self {
            claims: signed_in.claims.clone(),
            session: signed_in.session.id,
            refresh: signed_in.refresh_token.reveal().to_owned(),
        }
    }
}

impl Device {
    /// The owner of the idempotency keys of calls with its refresh token.
    pub(crate) fn principal(&self) -> String {
        refresh::principal(&self.refresh_hash())
    }

    pub(crate) fn refresh_hash(&self) -> TokenHash {
        Token::parse(TokenKind::Refresh, &self.refresh).unwrap().hash()
    }
}

pub(crate) fn password(text: &str) -> NewPassword {
    NewPassword::parse(text).unwrap()
}

impl World {
    pub(crate) fn registration(email: &str, name: &str) -> Registration {
        Registration {
            email: Email::parse(email).unwrap(),
            password: password(PASSWORD),
            name: Name::parse(name).unwrap(),
        }
    }

    pub(crate) async fn register(&self, call: Call, form: Registration) -> Result<Registered, Fault> {
        let (keep, kept) = slot();
        fault_of(register::register(&self.engine, call, Ok(form), keep).await)?;
        Ok(kept.lock().unwrap().take().expect("no replay"))
    }

    /// Registers a user, and returns the device with which they did that.
    pub(crate) async fn newcomer(&mut self) -> (Person, Device) {
        self.people += 1;
        let form =
            Self::registration(&format!("person{}@example.com", self.people), &format!("Person {}", self.people));
        let Ok(Registered::Account { signed_in, workspace }) = self.register(self.nobody(), form).await else {
            panic!("nobody has this address")
        };
        let user = &signed_in.user;
        let person =
            Person { id: user.id, email: user.email.clone(), password: PASSWORD.to_owned(), workspace: workspace.id };
        (person, Device::from(&*signed_in))
    }

    /// Registers a user.
    pub(crate) async fn person(&mut self) -> Person {
        self.newcomer().await.0
    }

    /// Makes a user a member of another user's personal workspace.
    pub(crate) async fn joins(&mut self, guest: &Person, host: &Person, role: Role) {
        self.people += 1;
        let (guest, owner) = (self.user(guest.id).await.unwrap(), self.user(host.id).await.unwrap());
        let workspace = Workspace { id: host.workspace, is_personal: true, ..make::workspace(self.people, &owner) };
        let membership = make::membership(self.people, &workspace, &guest, role);
        let mut unit = self.engine.store.writer().await.unwrap();
        unit.members().insert(&membership, &workspace, &(&guest).into()).await.unwrap();
        unit.commit(Record::default()).await.unwrap();
    }

    /// Creates a workspace that is not a personal one.
    pub(crate) async fn creates_workspace(&mut self, owner: &Person) -> WorkspaceId {
        self.people += 1;
        let owner = self.user(owner.id).await.unwrap();
        let workspace = make::workspace(self.people, &owner);
        let membership = make::membership(self.people, &workspace, &owner, Role::Owner);
        let mut unit = self.engine.store.writer().await.unwrap();
        assert!(unit.workspaces().insert(&workspace).await.unwrap());
        unit.members().insert(&membership, &workspace, &(&owner).into()).await.unwrap();
        unit.commit(Record::default()).await.unwrap();
        workspace.id
    }

    pub(crate) async fn login(&self, call: Call, email: &Email, password: &str) -> Result<SignedIn, Fault> {
        let (keep, kept) = slot();
        let form = Login { email: email.clone(), password: Secret::new(password.to_owned()) };
        fault_of(login::login(&self.engine, call, Ok(form), keep).await)?;
        Ok(kept.lock().unwrap().take().expect("no replay"))
    }

    pub(crate) async fn try_login(&self, person: &Person) -> Result<Device, Fault> {
        self.login(self.nobody(), &person.email, &person.password).await.map(|signed_in| Device::from(&signed_in))
    }

    /// Signs the user in on another device.
    pub(crate) async fn signed_in(&self, person: &Person) -> Device {
        self.try_login(person).await.unwrap()
    }

    /// Refreshes without changing the tokens of the given device.
    pub(crate) async fn refresh(&self, device: &Device) -> Result<Device, Fault> {
        let token = Secret::new(device.refresh.clone());
        let done = self.write(self.nobody(), move |unit| Box::pin(refresh::refresh(unit, Ok(token)))).await?;
        Ok(Device::from(&done))
    }

    /// The answer to a refresh with an idempotency key: the next refresh token, and whether it is a replay.
    pub(crate) async fn refresh_keyed(&self, device: &Device, key: &str) -> Result<(String, bool), Fault> {
        use super::Calling;
        let token = Secret::new(device.refresh.clone());
        let call = self.nobody().keyed_by(&device.principal(), key, &device.refresh);
        let shape = |next: SignedIn| Reply::json(200, &next.refresh_token.reveal());
        let reply =
            fault_of(self.engine.write(call, move |unit| Box::pin(refresh::refresh(unit, Ok(token))), shape).await)?;
        Ok((serde_json::from_slice(&reply.body).unwrap(), reply.replayed))
    }

    pub(crate) async fn logout(&self, device: &Device, named: Option<SessionId>) -> Result<(), Fault> {
        self.write(self.by(device), move |unit| Box::pin(logout::logout(unit, Ok(named)))).await
    }

    pub(crate) async fn revoke(&self, device: &Device, id: SessionId) -> Result<(), Fault> {
        self.write(self.by(device), move |unit| Box::pin(sessions::revoke(unit, Ok(id)))).await
    }

    pub(crate) async fn revoke_others(&self, device: &Device) -> Result<usize, Fault> {
        self.write(self.by(device), |unit| Box::pin(sessions::revoke_others(unit))).await
    }

    pub(crate) async fn sessions(&self, device: &Device, status: SessionStatus) -> Vec<Session> {
        let page = SessionPage { status, before: None, limit: 500 };
        self.read(self.by(device), move |view| Box::pin(sessions::list(view, Ok(page)))).await.unwrap()
    }

    pub(crate) async fn user(&self, id: UserId) -> Option<User> {
        self.engine.store.reader().await.unwrap().accounts().find(id).await.unwrap()
    }

    /// Makes a call with the device's access token on a route without further requirements.
    pub(crate) async fn look(&self, device: &Device) -> Result<User, Fault> {
        use octavo_app::access;
        self.read(self.by(device), |view| Box::pin(access::user(view))).await
    }
}
