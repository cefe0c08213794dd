//! Reads the lines of a body as they arrive.

use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use bytes::Buf as _;
use http_body_util::BodyExt as _;

use crate::settings::BodySettings;
use crate::state::AppState;
use overfold_server::body::{body_problem, client_left};
use overfold_server::error::ApiError;
use overfold_server::gate::{Collected, Gate, Share};
use overfold_server::quota::Quota;
use overfold_server::reading::WINDOW;

/// How often a line checks again whether there is room for its first bytes.
const RETRY_EVERY: Duration = Duration::from_millis(20);

/// A line that is not blank.
pub(super) struct Line {
    /// The line number, 1-based; blank lines are counted.
    pub(super) number: u64,
    /// The bytes without the line feed, with their share of the room for bodies; or why the line was not read.
    pub(super) text: Result<(Bytes, Share), ApiError>,
}

/// The result of reading on.
pub(super) enum LineRead {
    /// A line.
    Line(Line),
    /// A piece of the body has been read ahead.
    LookedAhead,
    /// There are no more lines.
    End,
}

/// Why there are no more lines.
pub(super) struct Broken {
    pub(super) problem: ApiError,
    /// Whether the sender has left.
    pub(super) left: bool,
}

impl From<ApiError> for Broken {
    fn from(problem: ApiError) -> Self {
        Self { problem, left: false }
    }
}

/// Reads lines. It holds only the line being received and one piece of the body.
pub(super) struct Lines {
    body: Body,
    gate: Gate,
    /// The most bytes in a line.
    most: u64,
    /// The most bytes of blank lines and overlong lines that are read, in addition to the number of useful bytes.
    max_idle: u64,
    /// How long the first bytes of a line wait for room.
    patience: Duration,
    /// How much more memory the decoder of a compressed body may take; `decoder` is what it has taken.
    window: u64,
    decoder: Share,
    /// Data that has arrived but has not been examined.
    rest: Bytes,
    ended: bool,
    number: u64,
    line: Collected,
    share: Share,
    caller: Option<Quota>,
    /// Whether the rest of the current line is to be discarded.
    skipping: bool,
    useful: u64,
    idle: u64,
    /// How long the current line may wait for room.
    room_by: Option<Instant>,
    arrived: Instant,
}

impl Lines {
    /// Reads a body of this caller without its content encoding; `packed` says whether it had one.
    pub(super) fn new(body: Body, packed: bool, state: &AppState, caller: Option<Quota>) -> Self {
        let (gate, BodySettings { max_request_bytes: most, max_unpacked_bytes: max_idle }) =
            (state.gate(), state.settings().body);
        Self {
            body,
            gate: gate.clone(),
            most,
            max_idle,
            patience: state.settings().work.timeout(),
            window: if packed { WINDOW } else { 0 },
            decoder: gate.share(caller.clone()),
            rest: Bytes::new(),
            ended: false,
            number: 1,
            line: Collected::new(None, most),
            share: gate.share(caller.clone()),
            caller,
            skipping: false,
            useful: 0,
            idle: 0,
            room_by: None,
            arrived: Instant::now(),
        }
    }

    /// Returns the number of the line to be read next, 1-based.
    pub(super) const fn number(&self) -> u64 {
        self.number
    }

    /// Returns the number of bytes in the lines read so far that are not blank.
    pub(super) const fn useful(&self) -> u64 {
        self.useful
    }

    /// Returns when data last arrived.
    pub(super) const fn arrived(&self) -> Instant {
        self.arrived
    }

    /// Whether a line that has arrived is waiting for room.
    pub(super) const fn wait_for_room(&self) -> bool {
        self.room_by.is_some()
    }

    /// Drops the body: nothing more is read.
    pub(super) fn close(&mut self) {
        self.body = Body::empty();
        self.rest = Bytes::new();
        self.ended = true;
        self.drop_line();
    }

    /// Returns the next line that is not blank; `None` after the last one. Dropping the future loses nothing.
    ///
    /// # Errors
    /// Returns [`Broken`] if no more lines can be read.
    pub(super) async fn next(&mut self) -> Result<Option<Line>, Broken> {
        loop {
            while !self.rest.is_empty() {
                if let Some(line) = self.take().await? {
                    return Ok(Some(line));
                }
            }
            if self.ended {
                return Ok((!self.line.is_empty()).then(|| self.finish_line()));
            }
            self.read_piece().await?;
        }
    }

    /// Returns the next line if `more` lines are wanted. Otherwise reads one piece of the body ahead if there is none,
    /// so that a sender that leaves is noticed. Dropping the future loses nothing.
    ///
    /// # Errors
    /// As [`Self::next`].
    pub(super) async fn step(&mut self, more: bool) -> Result<LineRead, Broken> {
        if more {
            return Ok(self.next().await?.map_or(LineRead::End, LineRead::Line));
        }
        if !self.rest.is_empty() || self.ended {
            return std::future::pending().await;
        }
        self.read_piece().await.map(|()| LineRead::LookedAhead)
    }

    async fn read_piece(&mut self) -> Result<(), Broken> {
        // Decompressed data may arrive for a long time without a pause.
        tokio::task::coop::consume_budget().await;
        match self.body.frame().await {
            None => self.ended = true,
            Some(Ok(frame)) => {
                self.arrived = Instant::now();
                let Ok(piece) = frame.into_data() else { return Ok(()) };
                let decoder = self.window.min(piece.len() as u64);
                if let Err(full) = self.decoder.grow(decoder) {
                    self.close();
                    return Err(self.gate.bodies_full(&full).into());
                }
                self.window -= decoder;
                self.rest = piece;
            }
            Some(Err(error)) => {
                self.close();
                return Err(Broken { problem: body_problem(&error), left: client_left(&error) });
            }
        }
        Ok(())
    }

    /// Examines the data that has arrived, up to the end of the line or of the data.
    async fn take(&mut self) -> Result<Option<Line>, Broken> {
        if self.line.is_empty() && !self.skipping {
            // White space before a line does not belong to it and is not kept; the same goes for blank lines.
            let blank = self.rest.len() - self.rest.trim_ascii_start().len();
            self.skip(blank)?;
            if self.rest.is_empty() {
                return Ok(None);
            }
        }
        let end = memchr::memchr(b'\n', &self.rest);
        let text = self.rest.slice(..end.unwrap_or(self.rest.len()));
        let taken = text.len() + usize::from(end.is_some());
        if self.skipping {
            self.skipping = end.is_none();
            return self.skip(taken).map(|()| None);
        }
        if self.line.len() as u64 + text.len() as u64 > self.most {
            return Ok(Some(self.refused(ApiError::over_limit("the line", "max-request-bytes", self.most))));
        }
        while let Err(full) = self.line.push(&text, &mut self.share) {
            // A request that waited while holding room could wait for another one that does the same.
            let by = *self.room_by.get_or_insert_with(|| Instant::now() + self.patience);
            if !self.line.is_empty() || Instant::now() >= by {
                let problem = self.gate.bodies_full(&full);
                return Ok(Some(self.refused(problem)));
            }
            tokio::time::sleep(RETRY_EVERY).await;
        }
        self.room_by = None;
        self.rest.advance(taken);
        if end.is_none() {
            return Ok(None);
        }
        Ok(Some(self.finish_line()))
    }

    /// Skips bytes that need no answer.
    fn skip(&mut self, bytes: usize) -> Result<(), Broken> {
        let passed = self.rest.split_to(bytes);
        self.number += memchr::memchr_iter(b'\n', &passed).count() as u64;
        self.idle = self.idle.saturating_add(bytes as u64);
        if self.idle > self.max_idle.saturating_add(self.useful) {
            let what = "the total size of blank and overlong lines";
            let problem = ApiError::over_limit(what, "max-unpacked-bytes", self.max_idle);
            self.close();
            return Err(problem.into());
        }
        Ok(())
    }

    /// Returns the line that has arrived.
    fn finish_line(&mut self) -> Line {
        let number = self.number;
        self.number += 1;
        let text = std::mem::replace(&mut self.line, Collected::new(None, self.most));
        let share = std::mem::replace(&mut self.share, self.gate.share(self.caller.clone()));
        self.useful = self.useful.saturating_add(text.len() as u64);
        Line { number, text: Ok((text.finish(), share)) }
    }

    /// Refuses the line being received and discards the rest of it.
    fn refused(&mut self, problem: ApiError) -> Line {
        self.drop_line();
        self.skipping = true;
        Line { number: self.number, text: Err(problem) }
    }

    fn drop_line(&mut self) {
        self.room_by = None;
        self.line = Collected::new(None, self.most);
        self.share.clear();
    }
}
