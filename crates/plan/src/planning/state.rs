//! The values of all module instances, as far as they have been computed.

use std::ops::Range;
use std::sync::Arc;

use foldhash::HashMap;

use overfold_base::account::{self, List};
use overfold_load::plan::ModuleAddress;
use overfold_model::config::ObjectAddr;
use overfold_model::language::references::InstanceKey;
use overfold_value::{Number, Type, Value};

/// What `count` or `for_each` gives to the expressions of one instance.
#[derive(Clone, Debug)]
pub(crate) struct InstanceRepetition {
    /// The key of the instance.
    pub(super) key: InstanceKey,
    /// What `each.key` and `each.value` are; `None` for `count`.
    pub(super) each: Option<(Value, Value)>,
}

impl InstanceRepetition {
    /// Returns what `count.index` is.
    pub(super) fn index(&self) -> Option<Value> {
        match (&self.key, &self.each) {
            (InstanceKey::Number(index), None) => {
                Some(Value::number(Number::from_usize(usize::try_from(*index).unwrap_or(0))))
            }
            _ => None,
        }
    }
}

#[derive(Debug)]
pub(super) struct ModuleInstance<'a> {
    /// The position of the calling instance among those of the calling module.
    pub(super) caller: usize,
    /// What the repetition of the call gives to the arguments of the call.
    pub(super) repeated: Option<InstanceRepetition>,
    /// Its address.
    pub(super) address: ModuleAddress,
    /// The values of its variables.
    pub(super) variables: HashMap<&'a str, Value>,
    /// Its local values.
    pub(super) locals: HashMap<&'a str, Value>,
    /// Its outputs.
    pub(super) outputs: HashMap<&'a str, Value>,
    /// Its resources: the object of one without repetition, otherwise the tuple or object of its instances.
    pub(super) resources: HashMap<ObjectAddr<'a>, Value>,
    /// The called modules that have been evaluated as a whole, by the position of the call.
    pub(super) called: HashMap<usize, Value>,
}

impl ModuleInstance<'_> {
    pub(super) fn new(caller: usize, repeated: Option<InstanceRepetition>, address: ModuleAddress) -> Self {
        Self {
            caller,
            repeated,
            address,
            variables: HashMap::default(),
            locals: HashMap::default(),
            outputs: HashMap::default(),
            resources: HashMap::default(),
            called: HashMap::default(),
        }
    }
}

/// The instances of a module by one path of calls.
#[derive(Debug, Default)]
pub(super) struct Expanded<'a> {
    /// The instances, those of one calling instance next to each other.
    pub(super) instances: List<ModuleInstance<'a>>,
    /// For each instance of the calling module, the positions of its own instances: half-open. `None` if they are not
    /// known.
    pub(super) of_caller: Vec<Option<(usize, usize)>>,
    /// How the call is repeated.
    pub(super) kind: Kind,
    /// The positions of the instances with each key of `for_each`, in order.
    by_key: HashMap<Arc<str>, Vec<usize>>,
}

impl<'a> Expanded<'a> {
    /// Adds the instances that one instance of the calling module has.
    pub(super) fn add(&mut self, kind: Kind, instances: Vec<ModuleInstance<'a>>) {
        self.kind = kind;
        let from = self.instances.len();
        for instance in instances {
            if let Some(InstanceRepetition { key: InstanceKey::Text(key), .. }) = &instance.repeated {
                account::work(4);
                account::touch(key.len());
                account::grow(64);
                self.by_key.entry(Arc::clone(key)).or_default().push(self.instances.len());
            }
            self.instances.push(instance);
        }
        self.of_caller.push(Some((from, self.instances.len())));
    }

    /// Returns the instance with a key among those of one instance of the calling module, which are at these positions.
    pub(super) fn with_key(&self, key: &str, among: Range<usize>) -> Option<&ModuleInstance<'a>> {
        let positions = self.by_key.get(key)?;
        let at = *positions.get(positions.partition_point(|&at| at < among.start))?;
        self.instances.get(at).filter(|_| at < among.end)
    }
}

/// Whether something has several instances.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Kind {
    /// One instance without a key.
    #[default]
    Single,
    /// `count`
    Count,
    /// `for_each`
    ForEach,
    /// `enabled` that is false: there is no instance, and the whole is null.
    Off,
}

impl Kind {
    /// Returns the value of the whole, given those of its instances in order.
    pub(super) fn whole(self, mut instances: Vec<(Option<InstanceKey>, Value)>) -> Value {
        match self {
            Self::Off => Value::null(Type::Dynamic),
            Self::Single => instances.pop().map_or_else(Value::dynamic, |(_, value)| value),
            Self::Count => Value::tuple(instances.into_iter().map(|(_, value)| value).collect()),
            Self::ForEach => Value::object(
                instances
                    .into_iter()
                    .map(|(key, value)| match key {
                        Some(InstanceKey::Text(key)) => (key, value),
                        Some(InstanceKey::Number(key)) => (Arc::from(key.to_string()), value),
                        None => (Arc::from(""), value),
                    })
                    .collect(),
            ),
        }
    }
}
