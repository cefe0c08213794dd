//! Address calculations: `cidrhost`, `cidrnetmask`, `cidrsubnet`, `cidrsubnets`, `cidrcontains` (expressions.md,
//! section 9).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use dashu_int::{IBig, UBig};

use super::{CallContext, Function, FunctionError, Outcome, Returns, argument, param};
use overfold_base::account::ChargedText;
use overfold_value::{Type, Value, excerpt};

pub(super) fn rows() -> Vec<Function> {
    let prefix = || param("prefix", Type::String);
    let text = || Returns::Fixed(Type::String);
    let number = |name| param(name, Type::Number);
    vec![
        Function::new("cidrhost", [prefix(), number("hostnum")], text(), host),
        Function::new("cidrnetmask", [prefix()], text(), |args, _, _| mask(args)),
        Function::new("cidrsubnet", [prefix(), number("newbits"), number("netnum")], text(), |args, _, _| {
            subnet(args)
        }),
        Function::new("cidrsubnets", [prefix()], Returns::Fixed(Type::list(Type::String)), |args, _, _| {
            subnets(args)
        })
        .variadic(number("newbits")),
        Function::new(
            "cidrcontains",
            [param("containing_prefix", Type::String), param("contained_ip_or_prefix", Type::String)],
            Returns::Fixed(Type::Bool),
            |args, _, _| contains(args),
        ),
    ]
}

/// A network: its first address as a number, the length of its prefix, and the number of bits in an address.
#[derive(Clone, Copy)]
struct Network {
    address: u128,
    prefix: u32,
    bits: u32,
}

impl Network {
    fn from_args(args: &[Value]) -> Result<Self, FunctionError> {
        let text = argument(args, 0);
        Self::parse(text).ok_or_else(|| {
            FunctionError::new(format!(
                "{:?} is not an address with a prefix length, such as 10.0.0.0/8",
                excerpt(text)
            ))
        })
    }

    fn parse(text: &str) -> Option<Self> {
        let (address, prefix) = text.touched().split_once('/')?;
        if prefix.is_empty() || !prefix.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let prefix: u32 = prefix.parse().ok()?;
        let (address, bits) = match v4(address) {
            Some(address) => (u128::from(u32::from(address)), 32),
            None => (u128::from(v6(address)?), 128),
        };
        if prefix > bits {
            return None;
        }
        Some(Self { address: address & mask_of(prefix, bits), prefix, bits })
    }

    /// Parses a single address, as the smallest network.
    fn address(text: &str) -> Option<Self> {
        let (address, bits) = match v4(text.touched()) {
            Some(address) => (u128::from(u32::from(address)), 32),
            None => (u128::from(v6(text)?), 128),
        };
        Some(Self { address, prefix: bits, bits })
    }

    fn show(self, address: u128) -> String {
        // As in the tool, an IPv4-mapped IPv6 address loses the mapping prefix.
        let ip = if self.bits == 32 || is_mapped(address) {
            IpAddr::V4(Ipv4Addr::from(address as u32))
        } else {
            IpAddr::V6(Ipv6Addr::from(address))
        };
        ip.to_string()
    }

    /// Formats a network of the same kind of addresses, with its prefix length.
    fn show_network(self, address: u128, prefix: u32) -> String {
        let prefix = if self.bits == 128 && is_mapped(address) { prefix.saturating_sub(96) } else { prefix };
        format!("{}/{prefix}", self.show(address))
    }

    /// Returns whether its addresses are IPv4-mapped IPv6 addresses, `::ffff:10.0.0.0`. The tool treats them as both.
    fn is_mapped(self) -> bool {
        self.bits == 128 && is_mapped(self.address)
    }

    /// Returns the address with the bits of a number, shifted to the left, added to it. `None` if that is larger than an
    /// address, or if there is no room for the shifted number.
    fn with(self, number: &IBig, shift: usize) -> Option<u128> {
        if *number == IBig::ZERO {
            return Some(self.address);
        }
        if shift > 128 {
            return None;
        }
        // A negative number has infinitely many leading ones; the sign of the address is then dropped (as in the tool).
        let address = IBig::from(self.address) | (number << shift);
        let address = u128::try_from(address.into_parts().1).ok()?;
        (address <= mask_of(self.bits, self.bits)).then_some(address)
    }

    fn host_bits(self) -> u32 {
        self.bits - self.prefix
    }
}

fn is_mapped(address: u128) -> bool {
    address >> 32 == 0xFFFF
}

/// Parses four decimal numbers; leading zeros do not make them octal.
fn v4(text: &str) -> Option<Ipv4Addr> {
    let mut parts = text.split('.');
    let mut octets = [0; 4];
    for octet in &mut octets {
        let part = parts.next()?;
        if part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        *octet = part
            .trim_start_matches('0')
            .parse()
            .or_else(|e| if part.contains('0') && part.trim_start_matches('0').is_empty() { Ok(0) } else { Err(e) })
            .ok()?;
    }
    parts.next().is_none().then(|| Ipv4Addr::from(octets))
}

/// Parses an IPv6 address, whose groups may have further leading zeros, as the numbers of an IPv4 address at its end may.
fn v6(text: &str) -> Option<Ipv6Addr> {
    if let Ok(address) = text.parse() {
        return Some(address);
    }
    let (groups, last) = text.scanned(32).rsplit_once(':')?;
    let mut plain = String::with_capacity(text.len());
    for group in groups.split(':') {
        plain.push_str(without_zeros(group));
        plain.push(':');
    }
    match v4(last) {
        Some(address) => plain.push_str(&address.to_string()),
        None => plain.push_str(without_zeros(last)),
    }
    plain.parse().ok()
}

/// Returns a group of digits without those zeros at its start that say nothing.
fn without_zeros(group: &str) -> &str {
    let trimmed = group.trim_start_matches('0');
    if trimmed.is_empty() && !group.is_empty() { "0" } else { trimmed }
}

/// Returns a mask with the first `prefix` of `bits` bits set.
fn mask_of(prefix: u32, bits: u32) -> u128 {
    let all = if bits == 128 { u128::MAX } else { (1 << bits) - 1 };
    if prefix == 0 { 0 } else { all & (all << (bits - prefix)) }
}

fn integer(args: &[Value], index: usize) -> Result<IBig, FunctionError> {
    args.get(index)
        .and_then(Value::as_number)
        .and_then(|number| number.to_integer(4096))
        .ok_or_else(|| FunctionError::new(format!("argument {} must be a whole number", index + 1)))
}

fn small(args: &[Value], index: usize) -> Result<i64, FunctionError> {
    i64::try_from(integer(args, index)?)
        .map_err(|_| FunctionError::new(format!("argument {} must be a whole number of 64 bits", index + 1)))
}

/// The tool checks a positive host number by its low 64 bits, read as a number with a sign, and then adds all of it: a
/// larger one reaches into the prefix.
fn host(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let number = integer(args, 1)?;
    let network = Network::from_args(args).map_err(|error| FunctionError { argument: None, ..error })?;
    let hosts = IBig::ONE << network.host_bits() as usize;
    let (wanted, checked) = if number < IBig::ZERO {
        (&hosts + &number, -&number - IBig::ONE)
    } else {
        (number.clone(), IBig::from(low_bits(&number).cast_signed()))
    };
    if checked >= hosts {
        return Err(FunctionError::new(format!("the network has no host number {number}")));
    }
    // The tool numbers the hosts of a mapped network as if its addresses had 32 bits.
    let shift = if network.is_mapped() { 96 } else { 0 };
    let address = network.with(&wanted, shift).ok_or_else(beyond_addresses)?;
    Ok(Value::text(network.show(address)))
}

/// Returns the lowest 64 bits of the magnitude of a number.
fn low_bits(number: &IBig) -> u64 {
    let low = number.clone().into_parts().1 & UBig::from(u64::MAX);
    u64::try_from(low).unwrap_or(0)
}

fn beyond_addresses() -> FunctionError {
    FunctionError::new("the result is larger than the largest address")
}

fn mask(args: &[Value]) -> Outcome {
    let network = Network::from_args(args)?;
    if network.bits != 32 && !network.is_mapped() {
        return Err(FunctionError::new("only IPv4 networks have a netmask in this notation"));
    }
    Ok(Value::text(network.show(mask_of(network.prefix, network.bits))))
}

/// The tool checks only the low 64 bits of a network number, without its sign, and none of them if the prefix grows
/// by 64 bits or more, or shrinks.
fn subnet(args: &[Value]) -> Outcome {
    let new_bits = small(args, 1)?;
    let number = integer(args, 2)?;
    let network = Network::from_args(args)?;
    let length = i64::from(network.prefix).saturating_add(new_bits);
    if length > i64::from(network.bits) {
        return Err(FunctionError::new(format!(
            "the prefix length {} plus {new_bits} is longer than the address",
            network.prefix
        )));
    }
    if let 0..64 = new_bits
        && low_bits(&number) >> new_bits != 0
    {
        return Err(FunctionError::new(format!(
            "the network number {number} does not fit into the new part of the prefix, whose length in bits is \
            {new_bits}"
        )));
    }
    let shift = usize::try_from(i64::from(network.bits).saturating_sub(length)).unwrap_or(usize::MAX);
    let address = network.with(&number, shift).ok_or_else(beyond_addresses)?;
    // A prefix of less than no bits is no network, and that is how the tool shows it.
    Ok(Value::text(u32::try_from(length).map_or("<nil>".to_owned(), |length| network.show_network(address, length))))
}

/// The fork's `cidrcontains`: whether a network contains an address or another network as a whole.
fn contains(args: &[Value]) -> Outcome {
    let network = Network::from_args(args)?;
    let text = argument(args, 1);
    let inner = Network::address(text).or_else(|| Network::parse(text)).ok_or_else(|| {
        FunctionError::new(format!("{:?} is neither an address nor an address with a prefix length", excerpt(text)))
    })?;
    if inner.bits != network.bits {
        return Err(FunctionError::new("one address is IPv4 and the other is IPv6"));
    }
    let mask = mask_of(network.prefix, network.bits);
    Ok(Value::bool(inner.prefix >= network.prefix && inner.address & mask == network.address))
}

fn subnets(args: &[Value]) -> Outcome {
    let network = Network::from_args(args).map_err(|error| FunctionError::argument(0, error.message))?;
    let end = network.address | (mask_of(network.bits, network.bits) & !mask_of(network.prefix, network.bits));
    // The last address before the next network. The tool cannot count on from one that it takes for an IPv4 address.
    let mut last = network.address.checked_sub(1);
    let mut found = Vec::with_capacity(args.len());
    for index in 1..args.len() {
        let bits = small(args, index).map_err(|error| FunctionError { argument: Some(index), ..error })?;
        if bits < 1 {
            return Err(FunctionError::argument(index, "each network must extend the prefix by at least one bit"));
        }
        if bits > 32 {
            return Err(FunctionError::argument(index, "each network can extend the prefix by at most 32 bits"));
        }
        let length = u32::try_from(i64::from(network.prefix) + bits).unwrap_or(u32::MAX);
        if length > network.bits {
            return Err(FunctionError::argument(
                index,
                format!("the prefix length {} plus {bits} is longer than the address", network.prefix),
            ));
        }
        if network.is_mapped() {
            return Err(FunctionError::argument(index, "IPv4 addresses written as IPv6 cannot be divided"));
        }
        let size = network.bits - length;
        let low = 1_u128.checked_shl(size).unwrap_or(0).wrapping_sub(1);
        let is_v4 = |address: u128| network.bits == 128 && is_mapped(address);
        let next = last.map(|last| last | low).filter(|last| !is_v4(*last)).and_then(|last| last.checked_add(1));
        // The first of all IPv4 addresses is the sign that the address space is used up.
        let is_within = |next: u128| next >= network.address && next <= end && !(is_v4(next) && next as u32 == 0);
        let Some(first) = next.filter(|next| is_within(*next)) else {
            return Err(FunctionError::argument(
                index,
                "the address space that is left is too small for this network",
            ));
        };
        found.push(Value::text(network.show_network(first, length)));
        last = Some(first | low);
    }
    Ok(Value::list(Type::String, found))
}
