//! What differs between versions as soon as a module is loaded.

/// Hands these rows to the next macro, behind those that it was given.
macro_rules! load_rows {
    ($next:ident $($more:ident)*; $($before:tt)*) => { $next! { $($more)*; $($before)* Load {
    /// An unknown source or version of a module is called invalid, in a template at the part that is unknown.
    UnknownModuleSourcesAtParts = "unknown-module-sources-at-parts" {
        terraform: &[When::since(1, 15, 0).but_until(1, 15, 1)],
        opentofu: NEVER,
        source: "cases versions/tf-1.15-module-source-plain-variable, versions-more/const-local-from-resource",
    }

    /// A local value that a module call depends on must not call functions of providers, which do not exist when modules are
    /// installed. In other versions, it is unknown there.
    InstallationLacksProviderFunctions = "installation-lacks-provider-functions" {
        terraform: &[When::since(1, 15, 0).but_until(1, 15, 1)],
        opentofu: NEVER,
        source: "cases versions/tf-1.15-provider-function-in-init, versions/tf-1.15-provider-function-beside-modules",
    }

    /// A call that passes a provider without a declared name is told with that name in the title.
    UndefinedProviderNamedInTitle = "undefined-provider-named-in-title" {
        terraform: &[When::until(1, 2, 0)],
        opentofu: NEVER,
        source: "case versions/all-document-provider-aliases",
    }

    /// An object type may declare an attribute twice; the last one counts.
    RepeatedTypeAttributes = "repeated-type-attributes" {
        terraform: &[When::until(1, 6, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.6-duplicate-type-attribute",
    }

    /// In the addresses of `moved` and `import` blocks, `resource.TYPE.NAME` is another form of `TYPE.NAME`.
    AddressesMayBeginWithResource = "addresses-may-begin-with-resource" {
        terraform: &[When::since(1, 9, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.10-moved-keyword",
    }

    /// In the addresses of `moved` and `import` blocks, the keywords of the language cannot be resource types.
    AddressesRefuseKeywords = "addresses-refuse-keywords" {
        terraform: &[When::since(1, 10, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.10-moved-keyword",
    }

    /// `list.TYPE.NAME` refers to a list of resources, not to a resource of the type `list`.
    ListReferences = "list-references" {
        terraform: &[When::since(1, 13, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.14-list-reference",
    }

    /// `caller` is the object that triggers an action, not the beginning of an address.
    CallerReferences = "caller-references" {
        terraform: &[When::since(1, 16, 0)],
        opentofu: NEVER,
        source: "cases versions/tf-1.16-caller-symbol, versions/tf-1.16-caller-resource-type",
    }

    /// An action whose type its provider does not have stops before any name is looked at.
    ActionTypesAreLookedUp = "action-types-are-looked-up" {
        terraform: &[When::since(1, 14, 0)],
        opentofu: NEVER,
        source: "cases versions/tf-1.14-action-block, versions/tf-1.16-action-destroy-events",
    }

    /// An underscore may be part of the namespace in the source of a provider.
    NamespacesMayHaveUnderscores = "namespaces-may-have-underscores" {
        terraform: &[When::since(1, 16, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.16-underscore-in-default-namespace",
    }
    } } };
}
