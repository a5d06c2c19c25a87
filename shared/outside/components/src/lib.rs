//! What a process works with: tables, bucket, queues, services of others, clock. Each is opened once, when it is first asked for.
//!
//! A function names the types that it needs. In a deployment, each opens itself from the settings of the environment; the local
//! server and tests give their own: emulators, another clock, a scripted text model.
//!
//! ```
//! # use components::{Clock, PublicUrl, Components};
//! components::component! {
//!     /// What a function uses.
//!     pub struct State {
//!         pub clock: Clock,
//!         pub public_url: PublicUrl,
//!         pub at_once: usize = 10,
//!     }
//! }
//!
//! let components = Components::given().with(PublicUrl::new("https://api.example/api/"));
//! let state: State = components.get();
//! assert_eq!((&*state.public_url, state.at_once), ("https://api.example/api", 10));
//! # state.clock.now();
//! ```

mod clock;
mod public_url;

use std::{
    any::{Any, TypeId, type_name},
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use aws::{SdkConfig, SecretSource};

// Used by the macro `main!`.
#[doc(hidden)]
pub use mimalloc;

pub use clock::Clock;
pub use public_url::PublicUrl;

/// Something that a process works with. Clones share what is open.
pub trait Component: Clone + Send + Sync + 'static {
    /// Opens it with the settings of the environment and what it needs itself.
    ///
    /// # Panics
    /// If a setting is missing or invalid: a process with a wrong configuration must not start.
    fn open(components: &Components) -> Self;
}

/// Declares a type that consists of components, and of values that are the same in each deployment.
#[macro_export]
macro_rules! component {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident {
            $($(#[$of_field:meta])* $access:vis $field:ident: $type:ty $(= $value:expr)?,)*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone)]
        $visibility struct $name {
            $($(#[$of_field])* $access $field: $type,)*
        }

        impl $crate::Component for $name {
            fn open(components: &$crate::Components) -> Self {
                Self { $($field: $crate::component!(@open components $(, $value)?),)* }
            }
        }
    };
    (@open $components:ident) => { $components.get() };
    (@open $components:ident, $value:expr) => { $value };
}

/// The binary of a function, from the call that serves it: with the allocator of all functions.
#[macro_export]
macro_rules! main {
    ($serve:expr) => {
        #[global_allocator]
        static ALLOCATOR: $crate::mimalloc::MiMalloc = $crate::mimalloc::MiMalloc;

        fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
            $serve
        }
    };
}

/// What the process works with. Clones share it.
#[derive(Clone)]
pub struct Components {
    /// `None`: everything is given, and nothing is opened from the environment.
    environment: Option<Arc<SdkConfig>>,
    opened: Arc<Mutex<HashMap<TypeId, Box<dyn Any + Send + Sync>>>>,
}

impl Components {
    /// Those of a deployment, with region and credentials of the environment.
    pub async fn load() -> Self {
        Self::of(aws::load().await)
    }

    /// Those of the environment, with this region, credentials and addresses.
    pub fn of(environment: SdkConfig) -> Self {
        Self { environment: Some(Arc::new(environment)), opened: Arc::default() }
    }

    /// Those that are given with [`with`](Self::with), and what is made of them.
    pub fn given() -> Self {
        Self { environment: None, opened: Arc::default() }
    }

    /// The same with this one, also for those that share it.
    #[must_use]
    pub fn with<T: Component>(self, component: T) -> Self {
        self.keep(component);
        self
    }

    /// The one of this type. The first call opens it.
    ///
    /// # Panics
    /// If its settings are missing or invalid.
    pub fn get<T: Component>(&self) -> T {
        self.known().unwrap_or_else(|| self.keep(T::open(self)))
    }

    /// The AWS client that the function creates, or that an earlier call has created.
    ///
    /// # Panics
    /// If nothing is opened from the environment.
    pub fn client<T: Clone + Send + Sync + 'static>(&self, create: fn(&SdkConfig) -> T) -> T {
        self.known().unwrap_or_else(|| self.keep(create(self.environment::<T>())))
    }

    /// The setting with this name: an environment variable. `None` if it is not set or blank.
    pub fn setting(&self, name: &str) -> Option<String> {
        self.environment.as_ref().and_then(|_| aws::setting(name))
    }

    /// As [`setting`](Self::setting).
    ///
    /// # Panics
    /// If it is not set.
    pub fn required_setting(&self, name: &str) -> String {
        self.setting(name).unwrap_or_else(|| panic!("{name} is not set; template.yaml sets it"))
    }

    /// The secret whose setting has this name: the ARN of a secret of AWS Secrets Manager, or, on a developer's machine, with
    /// `_FILE` at its end, the path of a file. `None`: neither is set.
    pub fn secret(&self, name: &str) -> Option<SecretSource> {
        SecretSource::from_settings(self.environment.as_deref()?, name)
    }

    /// As [`secret`](Self::secret).
    ///
    /// # Panics
    /// If neither is set.
    pub fn required_secret(&self, name: &str) -> SecretSource {
        self.secret(name).unwrap_or_else(|| panic!("{name} is not set; template.yaml sets it"))
    }

    fn environment<T>(&self) -> &SdkConfig {
        let name = type_name::<T>();
        self.environment.as_deref().unwrap_or_else(|| panic!("no {name} is given"))
    }

    fn known<T: Clone + 'static>(&self) -> Option<T> {
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.get(&TypeId::of::<T>())?.downcast_ref().cloned()
    }

    fn keep<T: Clone + Send + Sync + 'static>(&self, component: T) -> T {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.insert(TypeId::of::<T>(), Box::new(component.clone()));
        component
    }
}

impl fmt::Debug for Components {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Components(…)")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    static OPENED: AtomicUsize = AtomicUsize::new(0);

    #[derive(Clone)]
    struct Table(usize);

    impl Component for Table {
        fn open(_: &Components) -> Self {
            Self(OPENED.fetch_add(1, Ordering::SeqCst))
        }
    }

    #[derive(Clone)]
    struct Reader(Table);

    impl Component for Reader {
        fn open(components: &Components) -> Self {
            Self(components.get())
        }
    }

    #[test]
    fn each_is_opened_once_also_for_others_that_need_it() {
        let components = Components::given();
        let Reader(Table(of_reader)) = components.get();
        let Table(again) = components.clone().get();
        assert_eq!((of_reader, again), (0, 0));
        assert_eq!(OPENED.load(Ordering::SeqCst), 1);
        let Reader(Table(given)) = Components::given().with(Table(7)).get();
        assert_eq!(given, 7);
    }

    #[test]
    #[should_panic(expected = "PUBLIC_URL is not set")]
    fn nothing_is_read_from_the_environment_if_everything_is_given() {
        let _: PublicUrl = Components::given().get();
    }
}
