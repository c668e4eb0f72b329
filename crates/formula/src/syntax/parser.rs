//! The grammar. Brackets, arguments, signs and choices recurse, at most [`MAX_DEPTH`] deep; chains of operators loop.

use super::{
    MAX_DEPTH, MAX_STORED_BYTES,
    expr::{Choice, Expr, Node, NodeId, Reference},
    lexer::{self, Lexeme, Token, shortened},
    mistake::{Mistake, SyntaxError},
    precedence::Precedence,
    similar,
};
use crate::{
    functions::{Action, function},
    operators::Operator,
    position::Position,
};

/// Parses a formula. Whether the properties that it names exist is not checked: that is done when names are bound.
pub fn parse(text: &str) -> Result<Expr, SyntaxError> {
    if text.len() > MAX_STORED_BYTES {
        return Err(SyntaxError { position: Position::of(text, 0), mistake: Mistake::TooLong(MAX_STORED_BYTES) });
    }
    let parsed = Parser::new(text).and_then(Parser::formula);
    parsed.map_err(|(byte, mistake)| SyntaxError { position: Position::of(text, byte), mistake })
}

type Parsed<T> = Result<T, (usize, Mistake)>;

struct Parser<'a> {
    next: Lexeme<'a>,
    /// Where the token before the next one ends.
    end: usize,
    depth: usize,
    text: &'a str,
    expr: Expr,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Parsed<Self> {
        let expr = Expr { text: text.into(), nodes: vec![], bytes: vec![], firsts: vec![], references: vec![] };
        Ok(Self { next: lexer::next(text, 0)?, end: 0, depth: 0, text, expr })
    }

    fn formula(mut self) -> Parsed<Expr> {
        if self.next.token == Token::End {
            return Err((self.next.start, Mistake::Nothing));
        }
        self.expression(Precedence::Choice)?;
        match self.next.token {
            Token::End => Ok(self.expr),
            Token::Close => Err((self.next.start, Mistake::Bracket { opened: None, found: self.found() })),
            _ => Err(self.expected("an operator or the end of the formula")),
        }
    }

    /// An operand, and all operators behind it that bind at least this tightly.
    fn expression(&mut self, least: Precedence) -> Parsed<NodeId> {
        let mut left = self.operand()?;
        loop {
            let (precedence, operator) = match &self.next.token {
                Token::Operator(operator) => (Precedence::of(*operator), Some(*operator)),
                Token::Word("and") => (Precedence::And, None),
                Token::Word("or") => (Precedence::Or, None),
                Token::Question => (Precedence::Choice, None),
                _ => return Ok(left),
            };
            if precedence < least {
                return Ok(left);
            }
            let byte = self.next.start;
            let is_question = self.next.token == Token::Question;
            self.advance()?;
            let node = match operator {
                Some(Operator::Power) => {
                    let right = self.nested(|parser| parser.expression(Precedence::Sign))?;
                    Node::Binary { operator: Operator::Power, left, right }
                }
                Some(operator) => Node::Binary { operator, left, right: self.expression(precedence.tighter())? },
                None if is_question => self.nested(|parser| parser.branches(left))?,
                None => {
                    let kind = if precedence == Precedence::And { Choice::And } else { Choice::Or };
                    let then = self.expression(precedence.tighter())?;
                    Node::Choose { kind, condition: left, then, otherwise: None }
                }
            };
            left = self.add(node, byte, self.expr.firsts[left]);
        }
    }

    /// What follows the question mark of `a ? b : c`.
    fn branches(&mut self, condition: NodeId) -> Parsed<Node> {
        let then = self.expression(Precedence::Choice)?;
        if self.next.token != Token::Colon {
            return Err(self.expected("an operator or the `:` of `a ? b : c`"));
        }
        self.advance()?;
        let otherwise = Some(self.expression(Precedence::Choice)?);
        Ok(Node::Choose { kind: Choice::If, condition, then, otherwise })
    }

    fn operand(&mut self) -> Parsed<NodeId> {
        let Lexeme { token, start, .. } = self.next.clone();
        let node = match token {
            Token::Number(number) => Node::Number(number),
            Token::Text(text) => Node::Text(text.into()),
            Token::Word("true") => Node::Boolean(true),
            Token::Word("false") => Node::Boolean(false),
            Token::Word("not") => return self.prefix(Precedence::Not, Node::Not),
            Token::Operator(Operator::Subtract) => return self.prefix(Precedence::Sign, Node::Negate),
            Token::Word(word) if !matches!(word, "and" | "or") => {
                self.advance()?;
                return self.word(word, start);
            }
            Token::Open => {
                self.advance()?;
                let node = self.nested(|parser| parser.expression(Precedence::Choice))?;
                self.close(start, "")?;
                return Ok(node);
            }
            _ => return Err(self.expected("a value: a number, a text in quotes, a property or a function")),
        };
        self.advance()?;
        Ok(self.leaf(node, start))
    }

    fn prefix(&mut self, precedence: Precedence, node: fn(NodeId) -> Node) -> Parsed<NodeId> {
        let start = self.next.start;
        self.advance()?;
        let operand = self.nested(|parser| parser.expression(precedence))?;
        Ok(self.add(node(operand), start, self.expr.firsts[operand]))
    }

    /// A property or a call; its first word has been read.
    fn word(&mut self, word: &str, start: usize) -> Parsed<NodeId> {
        let is_call = self.next.token == Token::Open;
        match word {
            "prop" => self.property(start),
            _ if is_call => self.call(word, start),
            _ => {
                let similar = similar::function(word).filter(|name| name.eq_ignore_ascii_case(word));
                if let Some(name) = similar {
                    let hint = Some(format!("functions are called with brackets: {name}(...)"));
                    return Err((start, Mistake::UnknownWord { word: word.to_owned(), hint }));
                }
                Ok(self.reference(word.to_owned(), false, start))
            }
        }
    }

    fn property(&mut self, start: usize) -> Parsed<NodeId> {
        const FORM: &str = "the name of a property: prop(\"Name\")";
        let open = self.next.start;
        if self.next.token != Token::Open {
            return Err(self.expected(FORM));
        }
        self.advance()?;
        let Token::Text(name) = self.next.token.clone() else { return Err(self.expected(FORM)) };
        self.advance()?;
        self.close(open, "")?;
        Ok(self.reference(name.into_owned(), true, start))
    }

    fn call(&mut self, name: &str, start: usize) -> Parsed<NodeId> {
        let Some(function) = function(name) else {
            let similar = similar::function(name);
            return Err((start, Mistake::UnknownFunction { name: shortened(name), similar }));
        };
        let open = self.next.start;
        self.advance()?;
        let first = self.expr.nodes.len();
        let arguments = self.nested(|parser| parser.arguments(open))?;
        let (least, most) = function.arity();
        if arguments.len() < least || most.is_some_and(|most| arguments.len() > most) {
            return Err((start, Mistake::arguments(function, arguments.len())));
        }
        let node = match (function.action, arguments.as_slice()) {
            (Action::Choice, [condition, then, otherwise]) => {
                let (condition, then, otherwise) = (*condition, *then, Some(*otherwise));
                Node::Choose { kind: Choice::If, condition, then, otherwise }
            }
            _ => Node::Call { function, arguments },
        };
        Ok(self.add(node, start, first))
    }

    fn arguments(&mut self, open: usize) -> Parsed<Vec<NodeId>> {
        let mut arguments = Vec::new();
        if self.next.token != Token::Close {
            loop {
                arguments.push(self.expression(Precedence::Choice)?);
                if self.next.token != Token::Comma {
                    break;
                }
                self.advance()?;
            }
        }
        self.close(open, "`,` or ")?;
        Ok(arguments)
    }

    fn close(&mut self, open: usize, or: &str) -> Parsed<()> {
        match self.next.token {
            Token::Close => self.advance(),
            Token::End => {
                let opened = Some(Position::of(self.text, open));
                Err((self.next.start, Mistake::Bracket { opened, found: None }))
            }
            _ => Err(self.expected(&format!("an operator, {or}`)`"))),
        }
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_DEPTH {
            return Err((self.next.start, Mistake::TooDeep(MAX_DEPTH)));
        }
        self.depth += 1;
        let parsed = parse(self)?;
        self.depth -= 1;
        Ok(parsed)
    }

    fn reference(&mut self, named: String, is_quoted: bool, start: usize) -> NodeId {
        let node = Node::Property(self.expr.references.len());
        self.expr.references.push(Reference { named, is_quoted, span: start..self.end });
        self.leaf(node, start)
    }

    fn leaf(&mut self, node: Node, byte: usize) -> NodeId {
        self.add(node, byte, self.expr.nodes.len())
    }

    fn add(&mut self, node: Node, byte: usize, first: NodeId) -> NodeId {
        self.expr.nodes.push(node);
        self.expr.bytes.push(byte);
        self.expr.firsts.push(first);
        self.expr.nodes.len() - 1
    }

    fn advance(&mut self) -> Parsed<()> {
        self.end = self.next.end;
        self.next = lexer::next(self.text, self.end)?;
        Ok(())
    }

    fn expected(&self, expected: &str) -> (usize, Mistake) {
        (self.next.start, Mistake::Expected { expected: expected.to_owned().into(), found: self.found() })
    }

    /// The next token as it is written; `None` at the end.
    fn found(&self) -> Option<String> {
        let written = &self.text[self.next.start..self.next.end];
        (self.next.token != Token::End).then(|| shortened(written))
    }
}
