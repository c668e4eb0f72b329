//! Turns the impl of an area into two: the methods themselves, and the impl that calls them.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Error, FnArg, ImplItem, ImplItemFn, ItemImpl, Path, Result, spanned::Spanned};

pub(crate) fn expand(of_trait: TokenStream) -> TokenStream {
    syn::parse2(of_trait).and_then(split).unwrap_or_else(Error::into_compile_error)
}

fn split(of_trait: ItemImpl) -> Result<TokenStream> {
    let ItemImpl { attrs, trait_: Some((area, _)), self_ty, items, .. } = of_trait else {
        return Err(Error::new(of_trait.span(), "#[area] belongs to the impl of a trait"));
    };
    let (mut own, mut calls) = (Vec::new(), Vec::new());
    for item in items {
        let ImplItem::Fn(method) = item else {
            return Err(Error::new(item.span(), "an area has methods only"));
        };
        let name = own_name(&area, &method);
        calls.push(call(&method, &name)?);
        own.push(ImplItemFn { sig: syn::Signature { ident: name, ..method.sig }, ..method });
    }
    Ok(quote! {
        #[allow(
            clippy::needless_pass_by_value,
            clippy::too_many_arguments,
            clippy::trivially_copy_pass_by_ref,
            clippy::unused_async,
            clippy::unused_self,
            reason = "the trait chooses the signatures"
        )]
        impl #self_ty {
            #(#own)*
        }

        #(#attrs)*
        #[::async_trait::async_trait]
        impl #area for #self_ty {
            #(#calls)*
        }
    })
}

/// Several areas may have methods of the same name.
fn own_name(area: &Path, method: &ImplItemFn) -> Ident {
    let mut name = String::new();
    for letter in area.segments.last().map(|last| last.ident.to_string()).unwrap_or_default().chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    format_ident!("{name}_{}", method.sig.ident, span = method.sig.ident.span())
}

/// The method of the trait. Its arguments get names of their own, because those of the method may be patterns.
fn call(method: &ImplItemFn, own: &Ident) -> Result<TokenStream> {
    let mut sig = method.sig.clone();
    if sig.asyncness.is_none() {
        return Err(Error::new(sig.span(), "the methods of an area are async"));
    }
    let mut passed = Vec::new();
    for argument in &mut sig.inputs {
        if let FnArg::Typed(argument) = argument {
            let name = format_ident!("argument_{}", passed.len());
            *argument.pat = syn::parse_quote!(#name);
            passed.push(name);
        }
    }
    Ok(quote! {
        #sig {
            self.#own(#(#passed),*).await
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(of_trait: TokenStream) -> String {
        expand(of_trait).to_string()
    }

    #[test]
    fn a_method_becomes_one_of_the_type_which_the_trait_calls() {
        let text = expanded(quote! {
            impl ports::PageReads for Scope {
                async fn find(&mut self, id: PageId, (a, mut b): (u8, u8)) -> Option<Page> {
                    self.optional(id).await
                }
            }
        });
        let own = quote! {
            impl Scope {
                async fn page_reads_find(&mut self, id: PageId, (a, mut b): (u8, u8)) -> Option<Page> {
                    self.optional(id).await
                }
            }
        };
        let called = quote! {
            #[::async_trait::async_trait]
            impl ports::PageReads for Scope {
                async fn find(&mut self, argument_0: PageId, argument_1: (u8, u8)) -> Option<Page> {
                    self.page_reads_find(argument_0, argument_1).await
                }
            }
        };
        assert!(text.contains(&own.to_string()), "{text}");
        assert!(text.contains(&called.to_string()), "{text}");
    }

    #[test]
    fn what_is_no_impl_of_an_area_is_refused_where_it_is_written() {
        for wrong in [
            quote!(impl Scope {}),
            quote!(
                impl Area for Scope {
                    const A: u8 = 1;
                }
            ),
            quote!(
                impl Area for Scope {
                    fn find(&self) {}
                }
            ),
        ] {
            assert!(expanded(wrong.clone()).contains("compile_error"), "{wrong}");
        }
    }
}
