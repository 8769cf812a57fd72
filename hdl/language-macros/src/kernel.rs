//! `#[hdl_gen]`.

use crate::text::Text;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, ToTokens};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    parse_quote, Block, Error, Expr, ExprMethodCall, ItemFn, LitStr, Pat, Result, Stmt, Token,
};

/// A piece of the code that builds the tree, in a variable `kernel`.
enum Piece {
    /// A line for `Kernel::run`.
    Line(Text),
    /// Rust.
    Code(TokenStream),
}

/// The code of these pieces. Lines in a row are one call: a call a line takes much longer to compile.
fn code(pieces: Vec<Piece>) -> TokenStream {
    let mut code = TokenStream::new();
    let mut lines: Vec<Text> = vec![];
    let end = Piece::Code(TokenStream::new());
    for piece in pieces.into_iter().chain([end]) {
        match piece {
            Piece::Line(line) => lines.push(line),
            Piece::Code(rust) => {
                if !lines.is_empty() {
                    let arguments = Text::arguments(&lines);
                    code.extend(quote!(kernel.run(#arguments);));
                    lines.clear();
                }
                code.extend(rust);
            }
        }
    }
    code
}

/// The two halves of a statement.
#[derive(Default)]
struct Halves {
    /// Builds the tree.
    hdl: Vec<Piece>,
    /// Calls that note what the kernel drives.
    connect: Vec<TokenStream>,
}

impl Halves {
    fn line(&mut self, line: Text) {
        self.hdl.push(Piece::Line(line));
    }

    fn code(&mut self, code: TokenStream) {
        self.hdl.push(Piece::Code(code));
    }

    /// A signal is noted once a block.
    fn drives(&mut self, statement: TokenStream) {
        let text = statement.to_string();
        if !self.connect.iter().any(|known| known.to_string() == text) {
            self.connect.push(statement);
        }
    }
}

pub(crate) fn expand(item: &ItemFn) -> Result<TokenStream> {
    let mut loops = vec![];
    let Halves { hdl, connect } = block(&item.block, &mut loops)?;
    let hdl = code(hdl);
    Ok(quote! {
        #[allow(unreachable_patterns)]
        #item

        #[automatically_derived]
        #[allow(unused_variables)]
        fn connect(&mut self) {
            use ::bloomline_language::wires::derived::logic;
            #(#connect)*
        }

        #[automatically_derived]
        fn hdl(&self) -> ::bloomline_language::wires::derived::Verilog {
            use ::bloomline_language::wires::derived::{Kernel, Number};
            let mut kernel = Kernel::default();
            #hdl
            kernel.verilog()
        }
    })
}

fn block(block: &Block, loops: &mut Vec<String>) -> Result<Halves> {
    let mut halves = Halves::default();
    for statement in &block.stmts {
        let (Stmt::Expr(e) | Stmt::Semi(e, _)) = statement else {
            let message = "a kernel has no `let` and no items: use a local signal";
            return Err(Error::new_spanned(statement, message));
        };
        self::statement(e, loops, &mut halves)?;
    }
    Ok(halves)
}

fn statement(e: &Expr, loops: &mut Vec<String>, out: &mut Halves) -> Result<()> {
    match e {
        Expr::Assign(assign) => {
            let Expr::Field(target) = &*assign.left else {
                return Err(Error::new_spanned(e, "assign `.next` of a signal"));
            };
            if target.member.to_token_stream().to_string() != "next" {
                return Err(Error::new_spanned(e, "assign `.next` of a signal"));
            }
            set(&target.base, &assign.right, loops, out)
        }
        Expr::If(choice) if is_fixed(&choice.cond) => {
            let condition = &choice.cond;
            let then = block(&choice.then_branch, loops)?;
            let mut otherwise = Halves::default();
            if let Some((_, e)) = &choice.else_branch {
                branch(e, loops, &mut otherwise)?;
            }
            let (hdl, hdl_else) = (code(then.hdl), code(otherwise.hdl));
            let (connect, connect_else) = (then.connect, otherwise.connect);
            out.code(quote!(if #condition { #hdl } else { #hdl_else }));
            out.connect
                .push(quote!(if #condition { #(#connect)* } else { #(#connect_else)* }));
            Ok(())
        }
        Expr::If(choice) => {
            let mut test = Text::of("when");
            test.expression(&choice.cond, loops)?;
            out.line(test);
            absorb(out, block(&choice.then_branch, loops)?);
            if let Some((_, e)) = &choice.else_branch {
                out.line(Text::of("else"));
                let mut otherwise = Halves::default();
                branch(e, loops, &mut otherwise)?;
                absorb(out, otherwise);
            }
            out.line(Text::of("end"));
            Ok(())
        }
        Expr::Match(choice) => {
            let mut test = Text::of("match");
            test.expression(&choice.expr, loops)?;
            out.line(test);
            for arm in &choice.arms {
                out.line(Text::of(&format!("arm {}", pattern(&arm.pat)?)));
                let mut halves = Halves::default();
                branch(&arm.body, loops, &mut halves)?;
                absorb(out, halves);
                out.line(Text::of("end"));
            }
            out.line(Text::of("end"));
            Ok(())
        }
        Expr::ForLoop(turns) => {
            let name = match &turns.pat {
                Pat::Ident(index) => index.ident.clone(),
                Pat::Wild(_) => format_ident!("_turn"),
                pattern => return Err(Error::new_spanned(pattern, "name the loop index")),
            };
            let (text, range) = (name.to_string(), &turns.expr);
            loops.push(text.clone());
            let body = block(&turns.body, loops)?;
            loops.pop();
            let (hdl, connect) = (code(body.hdl), body.connect);
            out.code(quote! {
                kernel.begin_loop();
                for #name in #range {
                    kernel.turn(#text, #name);
                    #hdl
                    kernel.end();
                }
                kernel.end();
            });
            out.connect
                .push(quote!(for #name in #range { #(#connect)* }));
            Ok(())
        }
        Expr::MethodCall(call) if call.method == "set_bit" => set_bit(call, loops, out),
        Expr::MethodCall(call) => connection(call, loops, out),
        Expr::Macro(call) => {
            let name = call.mac.path.to_token_stream().to_string();
            match name.as_str() {
                "comment" => {
                    let text: LitStr = call.mac.parse_body()?;
                    out.code(quote!(kernel.comment(#text);));
                    Ok(())
                }
                "clock" | "dff_setup" => {
                    let Clocks { me, clock, blocks } = call.mac.parse_body()?;
                    for sub in blocks {
                        let sub = quote!(#me.#sub);
                        let from: Expr = parse_quote!(#me.#clock.val());
                        set(&parse_quote!(#sub.clock), &from, loops, out)?;
                        if name == "dff_setup" {
                            let held: Expr = parse_quote!(#sub.q.val());
                            set(&parse_quote!(#sub.d), &held, loops, out)?;
                        }
                    }
                    Ok(())
                }
                _ => Err(Error::new_spanned(e, "no macro of a kernel")),
            }
        }
        _ => Err(Error::new_spanned(e, "no statement of a kernel")),
    }
}

fn absorb(out: &mut Halves, inner: Halves) {
    out.hdl.extend(inner.hdl);
    for statement in inner.connect {
        out.drives(statement);
    }
}

/// What stands behind `else` or `=>`.
fn branch(e: &Expr, loops: &mut Vec<String>, out: &mut Halves) -> Result<()> {
    match e {
        Expr::Block(inner) => {
            absorb(out, block(&inner.block, loops)?);
            Ok(())
        }
        e => statement(e, loops, out),
    }
}

/// `target.next = value`.
fn set(target: &Expr, value: &Expr, loops: &[String], out: &mut Halves) -> Result<()> {
    let mut text = Text::of("set");
    text.signal(target, loops)?;
    text.expression(value, loops)?;
    out.line(text);
    out.drives(quote!(logic::Logic::connect(&mut #target);));
    Ok(())
}

/// `target.set_bit(index, bit)`: `target.next = target.val().replace_bit(index, bit)`.
fn set_bit(call: &ExprMethodCall, loops: &[String], out: &mut Halves) -> Result<()> {
    let mut arguments = call.args.iter();
    let (Some(index), Some(bit), None) = (arguments.next(), arguments.next(), arguments.next())
    else {
        return Err(Error::new_spanned(
            call,
            "`set_bit` takes an index and a bit",
        ));
    };
    let target = &*call.receiver;
    let mut text = Text::of("set");
    text.signal(target, loops)?;
    text.replaced_bit(target, index, bit, loops)?;
    out.line(text);
    out.drives(quote!(logic::Logic::connect(&mut #target);));
    Ok(())
}

/// `self.a.link(&mut self.b)`: a connection of bundles. Each such method has companions `.._ties` and `.._connect`.
fn connection(call: &ExprMethodCall, loops: &[String], out: &mut Halves) -> Result<()> {
    let method = &call.method;
    let kinds = ["link", "join", "link_part", "join_part"];
    let other = match call.args.first() {
        Some(Expr::Reference(other)) if kinds.iter().any(|kind| method == kind) => &other.expr,
        _ => return Err(Error::new_spanned(call, "no statement of a kernel")),
    };
    let (owner, rest) = (&call.receiver, call.args.iter().skip(1));
    let mut text = Text::default();
    text.signal(owner, loops)?;
    text.signal(other, loops)?;
    let names = Text::arguments(&[text]);
    let (ties, connect) = (
        format_ident!("{method}_ties"),
        format_ident!("{method}_connect"),
    );
    let rest: Punctuated<&Expr, Token![,]> = rest.collect();
    out.code(quote!(kernel.connect(#names, #owner.#ties(&#other, #rest));));
    out.connect
        .push(quote!(#owner.#connect(&mut #other, #rest);));
    Ok(())
}

/// Whether a condition reads no signal, so that it is decided when the block is built.
fn is_fixed(e: &Expr) -> bool {
    match e {
        Expr::MethodCall(call) => call.method != "val" && is_fixed(&call.receiver),
        Expr::Binary(binary) => is_fixed(&binary.left) && is_fixed(&binary.right),
        Expr::Unary(unary) => is_fixed(&unary.expr),
        Expr::Paren(inner) => is_fixed(&inner.expr),
        Expr::Group(inner) => is_fixed(&inner.expr),
        Expr::Call(call) => call.args.iter().all(is_fixed),
        _ => true,
    }
}

fn pattern(pattern: &Pat) -> Result<String> {
    match pattern {
        Pat::Wild(_) => Ok("default".into()),
        Pat::Lit(literal) => Ok(literal.to_token_stream().to_string()),
        Pat::Ident(name) => Ok(name.ident.to_string()),
        _ => Err(Error::new_spanned(pattern, "no pattern of a kernel")),
    }
}

/// The arguments of `clock!` and `dff_setup!`.
struct Clocks {
    me: Expr,
    clock: Expr,
    blocks: Vec<Expr>,
}

impl Parse for Clocks {
    fn parse(input: ParseStream) -> Result<Self> {
        let arguments = Punctuated::<Expr, Token![,]>::parse_terminated(input)?;
        let mut arguments = arguments.into_iter();
        match (arguments.next(), arguments.next()) {
            (Some(me), Some(clock)) => Ok(Clocks {
                me,
                clock,
                blocks: arguments.collect(),
            }),
            _ => Err(input.error("name `self`, the clock, and the blocks")),
        }
    }
}
