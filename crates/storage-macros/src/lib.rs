//! `#[area]`, for the impls of the areas of the store.

mod area;

use proc_macro::TokenStream;

/// Implements an area, a trait with `#[async_trait]`, so that it compiles fast.
///
/// The methods become methods of the type itself, and the impl of the trait only calls them. `#[async_trait]` gives a
/// method bounds on its lifetimes. In a function with such bounds the compiler does not remember what it has proved about
/// a type, and the types of diesel's statements are so deep that it would prove the same thousands of times. A function
/// without bounds shares what was proved with all others.
#[proc_macro_attribute]
pub fn area(_arguments: TokenStream, of_trait: TokenStream) -> TokenStream {
    area::expand(of_trait.into()).into()
}
