//! Expressions of a wanted type.

use super::super::Dice;
use super::scope::{Scope, Taint};
use super::types::{self, Attribute, KEYS, Presence, Ty, list, literal, map, set, simple};

/// An expression, and what it rests on.
pub(super) struct Expression {
    pub(super) text: String,
    pub(super) taint: Taint,
}

/// Writes expressions for one place.
pub(super) struct Writer<'s> {
    scope: &'s Scope,
    allowed: Taint,
    taint: Taint,
}

/// Returns an expression of a type for a place that takes what is `allowed`.
pub(super) fn expression(dice: &mut Dice, scope: &Scope, ty: &Ty, allowed: Taint) -> Expression {
    let mut writer = Writer { scope, allowed, taint: Taint::NOTHING };
    let depth = 1 + dice.below(3);
    let text = writer.of(dice, ty, depth);
    Expression { text, taint: writer.taint }
}

impl Writer<'_> {
    fn of(&mut self, dice: &mut Dice, ty: &Ty, depth: usize) -> String {
        if self.scope.wrong > 0 && dice.once_in(self.scope.wrong) {
            return self.wrong(dice, ty, depth);
        }
        if !dice.once_in(3)
            && let Some(found) = self.scope.find(dice, ty, self.allowed)
        {
            self.taint = self.taint.and(found.taint);
            return found.text;
        }
        if depth == 0 {
            return Self::plain(dice, ty);
        }
        let depth = depth - 1;
        if dice.once_in(4) {
            return self.general(dice, ty, depth);
        }
        match ty {
            Ty::Text => self.text(dice, depth),
            Ty::Number => self.number(dice, depth),
            Ty::Bool => self.bool(dice, depth),
            Ty::List(of) => self.list(dice, of, depth),
            Ty::Set(of) => self.set(dice, of, depth),
            Ty::Map(of) => self.map(dice, of, depth),
            Ty::Tuple(items) => {
                let items: Vec<String> = items.iter().map(|ty| self.of(dice, ty, depth)).collect();
                format!("[{}]", items.join(", "))
            }
            Ty::Object(attributes) => self.object(dice, attributes, depth),
            Ty::Any => {
                let ty = types::any(dice, 2);
                self.of(dice, &ty, depth)
            }
        }
    }

    /// Returns a constant, converted if its type does not show.
    fn plain(dice: &mut Dice, ty: &Ty) -> String {
        let text = literal(dice, ty);
        match ty {
            Ty::Set(_) if !dice.once_in(4) => format!("toset({text})"),
            Ty::List(_) if dice.once_in(3) => format!("tolist({text})"),
            Ty::Map(_) if dice.once_in(3) => format!("tomap({text})"),
            _ => text,
        }
    }

    /// Returns something that can yield any type.
    fn general(&mut self, dice: &mut Dice, ty: &Ty, depth: usize) -> String {
        let mut of = |dice: &mut Dice, ty: &Ty| self.of(dice, ty, depth);
        match dice.below(13) {
            0..=2 => {
                let condition = of(dice, &Ty::Bool);
                let (yes, no) = (of(dice, ty), of(dice, ty));
                format!("({condition} ? {yes} : {no})")
            }
            3 => {
                let (first, second) = (of(dice, ty), of(dice, ty));
                format!("try({first}, {second})")
            }
            4 => {
                let second = of(dice, ty);
                let first = of(dice, &Ty::Any);
                format!("try(({first}).{}, {second})", dice.pick(&KEYS))
            }
            5 => {
                let items = of(dice, &list(ty.clone()));
                let at = dice.below(4);
                format!("element(concat({items}, [{}]), {at})", of(dice, ty))
            }
            6 => {
                let (of_map, key, default) = (of(dice, &map(ty.clone())), of(dice, &Ty::Text), of(dice, ty));
                format!("lookup({of_map}, {key}, {default})")
            }
            7 => {
                let inner = of(dice, ty);
                self.taint.secret = true;
                if self.allowed.secret { format!("sensitive({inner})") } else { format!("nonsensitive({inner})") }
            }
            8 => format!("nonsensitive({})", of(dice, ty)),
            9 => {
                let (one, other) = (of(dice, ty), of(dice, ty));
                let at = of(dice, &Ty::Bool);
                format!("[{one}, {other}][{at} ? 0 : 1]")
            }
            10 => format!("{{ k = {} }}.k", of(dice, ty)),
            11 => {
                let value = of(dice, ty);
                format!("jsondecode(jsonencode({value}))")
            }
            _ => {
                let value = of(dice, ty);
                format!("one([for each_one in [{value}] : each_one])")
            }
        }
    }

    fn text(&mut self, dice: &mut Dice, depth: usize) -> String {
        let mut of = |dice: &mut Dice, ty: &Ty| self.of(dice, ty, depth);
        match dice.below(30) {
            0..=4 => {
                let (one, other) = (simple(dice), simple(dice));
                format!("\"a-${{{}}}.{}${{{}}}\"", of(dice, &one), dice.pick(&["", "é", "-", " "]), of(dice, &other))
            }
            5 => format!("\"${{{}}}\"", of(dice, &Ty::Text)),
            6 => format!("upper({})", of(dice, &Ty::Text)),
            7 => format!(
                "format(\"%s-%v|%5.1f\", {}, {}, {})",
                of(dice, &Ty::Text),
                of(dice, &Ty::Any),
                of(dice, &Ty::Number)
            ),
            8 => format!("join({}, {})", of(dice, &Ty::Text), of(dice, &list(Ty::Text))),
            9 => format!("replace({}, \"a\", {})", of(dice, &Ty::Text), of(dice, &Ty::Text)),
            10 => format!("substr({}, 0, {})", of(dice, &Ty::Text), dice.below(3)),
            11 | 12 => format!("jsonencode({})", of(dice, &Ty::Any)),
            13 => format!("tostring({})", of(dice, &Ty::Number)),
            14 => format!("coalesce({}, {}, \"z\")", of(dice, &Ty::Text), of(dice, &Ty::Text)),
            15 => format!(
                "{}(\"x${{{}}}\")",
                dice.pick(&["md5", "sha256", "base64encode", "title", "strrev", "urlencode"]),
                of(dice, &Ty::Text)
            ),
            16 => {
                format!("\"%{{ if {} }}y${{{}}}%{{ else }}n%{{ endif }}\"", of(dice, &Ty::Bool), of(dice, &Ty::Text))
            }
            17 => format!("\"%{{ for one in {} }}<${{one}}>%{{ endfor }}\"", of(dice, &list(Ty::Text))),
            18 => format!("\"%{{ for k, v in {} ~}}\n ${{k}}=${{v}} %{{ endfor ~}} \"", of(dice, &map(Ty::Text)))
                .replace('\n', "\\n"),
            19 => format!("regex(\"[a-z]+\", \"q${{{}}}\")", of(dice, &Ty::Text)),
            20 => format!("trimprefix({}, \"a-\")", of(dice, &Ty::Text)),
            21 => format!("yamlencode({})", of(dice, &Ty::Any)),
            22 => format!("try(tostring({}), {})", of(dice, &Ty::Any), of(dice, &Ty::Text)),
            23 => format!("join(\",\", sort({}))", of(dice, &list(Ty::Text))),
            24 => format!("format(\"%q%03d\", {}, {})", of(dice, &Ty::Text), dice.below(12)),
            25 => dice.pick(&["path.module", "terraform.workspace", "path.root", "\"${path.module}/x\""]).to_owned(),
            26 => format!("{}({})", dice.pick(&["lower", "trimspace", "chomp"]), of(dice, &Ty::Text)),
            27 => format!("formatdate(\"YYYY\", \"20{}5-01-02T03:04:05Z\")", dice.below(10)),
            28 => format!("templatefile(\"${{path.module}}/t.tftpl\", {{ v = {} }})", of(dice, &Ty::Text)),
            _ => format!("one(toset([{}]))", of(dice, &Ty::Text)),
        }
    }

    fn number(&mut self, dice: &mut Dice, depth: usize) -> String {
        let mut of = |dice: &mut Dice, ty: &Ty| self.of(dice, ty, depth);
        match dice.below(16) {
            0..=4 => {
                let operator = dice.pick(&["+", "-", "*", "/", "%"]);
                format!("({} {operator} {})", of(dice, &Ty::Number), of(dice, &Ty::Number))
            }
            5 => format!("-({})", of(dice, &Ty::Number)),
            6 | 7 => {
                let ty = types::any(dice, 1);
                let ty = match dice.below(3) {
                    0 => list(ty),
                    1 => map(ty),
                    _ => set(ty),
                };
                format!("length({})", of(dice, &ty))
            }
            8 => format!("sum(concat([0], {}))", of(dice, &list(Ty::Number))),
            9 => format!("{}({}, {})", dice.pick(&["max", "min"]), of(dice, &Ty::Number), of(dice, &Ty::Number)),
            10 => format!("{}({})", dice.pick(&["abs", "floor", "ceil", "signum"]), of(dice, &Ty::Number)),
            11 => format!("try(tonumber({}), 4)", of(dice, &Ty::Text)),
            12 => format!("index(concat([{0}], [1]), 1) + {0}", of(dice, &Ty::Number)),
            13 => format!("length({})", of(dice, &Ty::Text)),
            14 => format!("parseint(\"1{}\", 16)", dice.below(9)),
            _ => format!("pow(2, {})", dice.below(70)),
        }
    }

    fn bool(&mut self, dice: &mut Dice, depth: usize) -> String {
        let mut of = |dice: &mut Dice, ty: &Ty| self.of(dice, ty, depth);
        match dice.below(18) {
            0..=3 => {
                let ty = if dice.once_in(3) { types::any(dice, 1) } else { simple(dice) };
                let operator = dice.pick(&["==", "!="]);
                format!("({} {operator} {})", of(dice, &ty), of(dice, &ty))
            }
            4 => {
                let ty = types::any(dice, 1);
                format!("({} {} null)", of(dice, &ty), dice.pick(&["==", "!="]))
            }
            5 | 6 => {
                let operator = dice.pick(&["<", "<=", ">", ">="]);
                format!("({} {operator} {})", of(dice, &Ty::Number), of(dice, &Ty::Number))
            }
            7..=9 => {
                let operator = dice.pick(&["&&", "||"]);
                format!("({} {operator} {})", of(dice, &Ty::Bool), of(dice, &Ty::Bool))
            }
            10 => format!("!({})", of(dice, &Ty::Bool)),
            11 => format!("can({})", of(dice, &Ty::Any)),
            12 => {
                let ty = simple(dice);
                format!("contains({}, {})", of(dice, &list(ty.clone())), of(dice, &ty))
            }
            13 => format!("startswith({}, \"a\")", of(dice, &Ty::Text)),
            14 => format!("strcontains({}, {})", of(dice, &Ty::Text), of(dice, &Ty::Text)),
            15 => format!("can(regex(\"^[a-z]+$\", {}))", of(dice, &Ty::Text)),
            16 => format!("{}({})", dice.pick(&["alltrue", "anytrue"]), of(dice, &list(Ty::Bool))),
            _ => format!("issensitive({})", of(dice, &Ty::Any)),
        }
    }

    /// Returns an expression in which a name stands for a value of this type.
    fn within(&mut self, dice: &mut Dice, name: &str, of: &Ty, wanted: &Ty, depth: usize) -> String {
        let scope = self.scope.with(name, of.clone(), Taint::NOTHING);
        let mut inner = Writer { scope: &scope, allowed: self.allowed, taint: self.taint };
        let text = inner.of(dice, wanted, depth);
        self.taint = inner.taint;
        text
    }

    fn list(&mut self, dice: &mut Dice, item: &Ty, depth: usize) -> String {
        let own = list(item.clone());
        match dice.below(20) {
            0..=2 => {
                let items: Vec<String> = (0..dice.below(4)).map(|_| self.of(dice, item, depth)).collect();
                format!("[{}]", items.join(", "))
            }
            3..=5 => {
                let ty = types::any(dice, 1);
                let source = match dice.below(3) {
                    0 => set(ty.clone()),
                    1 => map(ty.clone()),
                    _ => list(ty.clone()),
                };
                let source = self.of(dice, &source, depth);
                let body = self.within(dice, "it", &ty, item, depth);
                let condition = match dice.below(4) {
                    0 => format!(" if {}", self.within(dice, "it", &ty, &Ty::Bool, depth)),
                    _ => String::new(),
                };
                format!("[for it in {source} : {body}{condition}]")
            }
            6 => format!("concat({}, {})", self.of(dice, &own, depth), self.of(dice, &own, depth)),
            7 => format!("{}({})", dice.pick(&["reverse", "distinct"]), self.of(dice, &own, depth)),
            8 => format!("flatten([{}, [{}]])", self.of(dice, &own, depth), self.of(dice, item, depth)),
            9 => format!("values({})", self.of(dice, &map(item.clone()), depth)),
            10 => format!("tolist({})", self.of(dice, &own, depth)),
            11 => format!("tolist({})", self.of(dice, &set(item.clone()), depth)),
            12 => format!("coalescelist({}, [{}])", self.of(dice, &own, depth), self.of(dice, item, depth)),
            13 => format!("{}[*]", self.of(dice, item, depth)),
            14 => {
                let inner = self.of(dice, &own, depth);
                format!("[for at, it in {inner} : it if at != {}]", dice.below(3))
            }
            15 => format!("try(slice({}, 0, 1), [])", self.of(dice, &own, depth)),
            16 => {
                let of = Ty::Object(vec![Attribute { name: "k", ty: item.clone(), presence: Presence::Required }]);
                format!("{}[*].k", self.of(dice, &list(of), depth))
            }
            17 => format!("flatten(chunklist({}, 2))", self.of(dice, &own, depth)),
            _ => match item {
                Ty::Text if dice.once_in(2) => format!("split(\",\", {})", self.of(dice, &Ty::Text, depth)),
                Ty::Text => format!("{}({})", dice.pick(&["sort", "compact"]), self.of(dice, &own, depth)),
                Ty::Number => format!("range({})", dice.below(4)),
                _ => Self::plain(dice, &own),
            },
        }
    }

    fn set(&mut self, dice: &mut Dice, item: &Ty, depth: usize) -> String {
        let own = set(item.clone());
        match dice.below(6) {
            0..=2 => format!("toset({})", self.of(dice, &list(item.clone()), depth)),
            3 => {
                let function = dice.pick(&["setunion", "setintersection", "setsubtract"]);
                format!("{function}({}, {})", self.of(dice, &own, depth), self.of(dice, &own, depth))
            }
            4 => format!("toset([for it in {} : it])", self.of(dice, &own, depth)),
            _ => Self::plain(dice, &own),
        }
    }

    fn map(&mut self, dice: &mut Dice, item: &Ty, depth: usize) -> String {
        let own = map(item.clone());
        match dice.below(13) {
            0..=3 => {
                let count = dice.below(4);
                let mut items = Vec::new();
                for key in KEYS.iter().take(count) {
                    let key = match dice.below(6) {
                        0 => format!("({})", self.of(dice, &Ty::Text, depth)),
                        1 => format!("\"{key}\""),
                        2 => format!("\"x${{{}}}\"", self.of(dice, &Ty::Number, depth)),
                        _ => (*key).to_owned(),
                    };
                    items.push(format!("{key} = {}", self.of(dice, item, depth)));
                }
                format!("{{ {} }}", items.join(", "))
            }
            4 => format!("merge({}, {})", self.of(dice, &own, depth), self.of(dice, &own, depth)),
            5 => format!("tomap({})", self.of(dice, &own, depth)),
            6 => format!("zipmap([\"p\", \"q\"], [{}, {}])", self.of(dice, item, depth), self.of(dice, item, depth)),
            7 | 8 => {
                let ty = types::any(dice, 1);
                let source = self.of(dice, &map(ty.clone()), depth);
                let body = self.within(dice, "it", &ty, item, depth);
                let key = self.within(dice, "key", &Ty::Text, &Ty::Text, depth.min(1));
                let key = if dice.once_in(3) { format!("\"${{key}}-${{{key}}}\"") } else { "key".to_owned() };
                format!("{{ for key, it in {source} : {key} => {body} }}")
            }
            9 => {
                let source = self.of(dice, &list(item.clone()), depth);
                format!("{{ for at, it in {source} : \"i${{at}}\" => it }}")
            }
            10 => {
                let source = self.of(dice, &list(Ty::Text), depth);
                let body = self.within(dice, "it", &Ty::Text, item, depth);
                format!("{{ for it in toset({source}) : it => {body} }}")
            }
            11 => {
                let source = self.of(dice, &list(Ty::Text), depth);
                let body = self.of(dice, item, depth);
                format!("{{ for key, group in {{ for it in {source} : it => {body}... }} : key => group[0] }}")
            }
            _ => Self::plain(dice, &own),
        }
    }

    fn object(&mut self, dice: &mut Dice, attributes: &[Attribute], depth: usize) -> String {
        let mut items = Vec::new();
        for Attribute { name, ty, presence } in attributes {
            let is_left_out = *presence != Presence::Required && dice.once_in(9);
            if is_left_out {
                continue;
            }
            if *presence != Presence::Required && dice.once_in(12) {
                items.push(format!("{name} = null"));
            } else {
                items.push(format!("{name} = {}", self.of(dice, ty, depth)));
            }
        }
        let text = format!("{{ {} }}", items.join(", "));
        if dice.once_in(5) { format!("merge({text}, {{ }})") } else { text }
    }

    /// Returns something that does not fit, or fails.
    fn wrong(&mut self, dice: &mut Dice, ty: &Ty, depth: usize) -> String {
        let depth = depth.saturating_sub(1);
        match dice.below(15) {
            0 | 1 => "null".to_owned(),
            2 | 3 => {
                let other = types::any(dice, 2);
                self.of(dice, &other, depth)
            }
            4 => format!("{}[7]", self.of(dice, &list(ty.clone()), depth)),
            5 => format!("{}[\"absent\"]", self.of(dice, &map(ty.clone()), depth)),
            6 => format!("({}).absent", self.of(dice, ty, depth)),
            7 => format!("tonumber({})", self.of(dice, &Ty::Text, depth)),
            8 => format!("[{}][{}]", self.of(dice, ty, depth), self.of(dice, &Ty::Number, depth)),
            9 => format!("element({}, 0)", self.of(dice, &list(ty.clone()), depth)),
            10 => format!("{{ for it in [\"d\", \"d\"] : it => {} }}[\"d\"]", self.of(dice, ty, depth)),
            11 => dice
                .pick(&["var.undeclared", "local.undeclared", "timestamp()", "uuid()", "each.value", "self"])
                .to_owned(),
            12 => format!("one({})", self.of(dice, &list(ty.clone()), depth)),
            13 => format!("nonsensitive({})[0]", self.of(dice, ty, depth)),
            _ => format!("coalesce(null, {})", self.of(dice, ty, depth)),
        }
    }
}
