//! Address calculations: `cidrhost`, `cidrnetmask`, `cidrsubnet`, `cidrsubnets`, `cidrcontains` (expressions.md,
//! section 9).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use dashu_int::IBig;

use super::{CallContext, Function, FunctionError, Outcome, Returns, param};
use overfold_base::account;
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
    fn of(args: &[Value]) -> Result<Self, FunctionError> {
        let text = args.first().and_then(Value::as_text).unwrap_or_default();
        Self::parse(text).ok_or_else(|| {
            FunctionError::new(format!(
                "{:?} is not an address with a prefix length, such as 10.0.0.0/8",
                excerpt(text)
            ))
        })
    }

    fn parse(text: &str) -> Option<Self> {
        account::touch(text.len());
        let (address, prefix) = text.split_once('/')?;
        if prefix.is_empty() || !prefix.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let prefix: u32 = prefix.parse().ok()?;
        let (address, bits) = match v4(address) {
            Some(address) => (u128::from(u32::from(address)), 32),
            None => (u128::from(address.parse::<Ipv6Addr>().ok()?), 128),
        };
        if prefix > bits {
            return None;
        }
        Some(Self { address: address & mask_of(prefix, bits), prefix, bits })
    }

    /// Parses a single address, as the smallest network.
    fn address(text: &str) -> Option<Self> {
        account::touch(text.len());
        let (address, bits) = match v4(text) {
            Some(address) => (u128::from(u32::from(address)), 32),
            None => (u128::from(text.parse::<Ipv6Addr>().ok()?), 128),
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

fn host(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let number = integer(args, 1)?;
    let network = Network::of(args).map_err(|error| FunctionError { argument: None, ..error })?;
    let hosts = IBig::from(1) << network.host_bits() as usize;
    let wanted = if number < IBig::from(0) { &hosts + &number } else { number.clone() };
    if wanted < IBig::from(0) || wanted >= hosts {
        return Err(FunctionError::new(format!("the network has no host number {number}")));
    }
    let host = u128::try_from(wanted).map_err(|_| FunctionError::new("the host number is out of range"))?;
    // The tool numbers the hosts of a mapped network as if its addresses had 32 bits.
    let host = if network.is_mapped() { host << 96 } else { host };
    Ok(Value::text(network.show(network.address | host)))
}

fn mask(args: &[Value]) -> Outcome {
    let network = Network::of(args)?;
    if network.bits != 32 && !network.is_mapped() {
        return Err(FunctionError::new("only IPv4 networks have a netmask in this notation"));
    }
    Ok(Value::text(network.show(mask_of(network.prefix, network.bits))))
}

fn subnet(args: &[Value]) -> Outcome {
    let new_bits = small(args, 1)?;
    let number = integer(args, 2)?;
    let network = Network::of(args)?;
    let length = i64::from(network.prefix) + new_bits;
    let length = u32::try_from(length).ok().filter(|length| *length <= network.bits).ok_or_else(|| {
        FunctionError::new(format!("the prefix length {} plus {new_bits} is longer than the address", network.prefix))
    })?;
    let new_bits = u32::try_from(new_bits).unwrap_or(0);
    let count = IBig::from(1) << new_bits as usize;
    if number >= count || number <= -&count {
        return Err(FunctionError::new(format!(
            "the network number {number} does not fit into the new part of the \
            prefix, whose length in bits is {new_bits}"
        )));
    }
    let shift = network.bits - length;
    // A negative number has infinitely many leading ones; the sign of the address is then dropped (as in the tool).
    let address = IBig::from(network.address) | (number << shift as usize);
    let address = if address < IBig::from(0) { -address } else { address };
    let address = u128::try_from(address).map_err(|_| FunctionError::new("the network number is out of range"))?;
    Ok(Value::text(network.show_network(address, length)))
}

/// The fork's `cidrcontains`: whether a network contains an address or another network as a whole.
fn contains(args: &[Value]) -> Outcome {
    let network = Network::of(args)?;
    let text = args.get(1).and_then(Value::as_text).unwrap_or_default();
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
    let network = Network::of(args).map_err(|error| FunctionError::argument(0, error.message))?;
    let mut next = Some(network.address);
    let last = network.address | (mask_of(network.bits, network.bits) & !mask_of(network.prefix, network.bits));
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
        let step = 1_u128.checked_shl(size).unwrap_or(0);
        let start = next.and_then(|next| {
            let low = step.wrapping_sub(1);
            if next & low == 0 { Some(next) } else { (next | low).checked_add(1) }
        });
        let Some(start) = start.filter(|start| *start <= last && (start | step.wrapping_sub(1)) <= last) else {
            return Err(FunctionError::argument(
                index,
                "the address space that is left is too small for this network",
            ));
        };
        found.push(Value::text(format!("{}/{length}", network.show(start))));
        next = start.checked_add(step);
    }
    Ok(Value::list(Type::String, found))
}
