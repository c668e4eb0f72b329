//! Sessions and the refresh tokens that keep them alive.
use std::str::FromStr;

/// One way in which somebody proved who they are (`amr`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Proof {
    Password,
    OneTimeCode,
    RecoveryCode,
    SecurityKey,
    SingleSignOn,
    Invitation,
    /// Two factors together.
    MultiFactor,
}

impl Proof {
    pub const ALL: &'static [Self] = &[
        Self::Password,
        Self::OneTimeCode,
        Self::RecoveryCode,
        Self::SecurityKey,
        Self::SingleSignOn,
        Self::Invitation,
        Self::MultiFactor,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Password => "pwd",
            Self::OneTimeCode => "otp",
            Self::RecoveryCode => "rec",
            Self::SecurityKey => "hwk",
            Self::SingleSignOn => "sso",
            Self::Invitation => "inv",
            Self::MultiFactor => "mfa",
        }
    }
}

impl FromStr for Proof {
    type Err = crate::name::UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        crate::name::find(Self::ALL, text, |proof| proof.name())
    }
}
