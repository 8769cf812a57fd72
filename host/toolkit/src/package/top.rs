//! The top module of an emission.

use bloomline_spec::Common;

/// What an emission's top module is.
pub(super) enum Top {
    Filter,
    Card,
    Path,
    LineCard,
}

pub(super) fn kind_of_top(common: &Common) -> Top {
    if common.line_card().is_some() {
        return Top::LineCard;
    }
    match (common.packet(), common.card()) {
        (Some(_), _) => Top::Path,
        (None, Some(_)) => Top::Card,
        (None, None) => Top::Filter,
    }
}

/// Name of the top module: that of the line card, the packet path or the card if there is one, else of the filter.
pub(super) fn top(common: &Common) -> String {
    let name = common.name();
    match kind_of_top(common) {
        Top::LineCard => format!("{name}_linecard"),
        Top::Path => format!("{name}_path"),
        Top::Card => format!("{name}_card"),
        Top::Filter => name.to_owned(),
    }
}
