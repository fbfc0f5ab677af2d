package dev.sotto.app.config;

import dev.sotto.learner.extension.ExtensionFailure;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.EventDecoderProvider;
import dev.sotto.serdes.event.GuardedDecoder;
import dev.sotto.serdes.event.GuardedDecoder.Unit;
import dev.sotto.serdes.event.NormRule;
import java.util.Map;

/** Builds the way from event to example out of a user's decoder. */
final class OwnMapping {
  private final Values values;
  private final Faults faults;

  OwnMapping(Values values, Faults faults) {
    this.values = values;
    this.faults = faults;
  }

  /** The mapping, or null after a fault. */
  Mapping build() {
    if (!values.sound("features.norm", "unit.from", "events.max.bytes")) {
      return null;
    }
    EventDecoderProvider provider =
        Own.DECODER.find().named(values.text("events.format")).orElseThrow();
    Map<String, String> parameters = Own.parameters(values, Own.EVENT_PARAMETERS);
    GuardedDecoder.Rules rules = new GuardedDecoder.Rules(
        NormRule.valueOf(Mappings.constant(values.text("features.norm"))), unit(), (int)
            values.whole("events.max.bytes"));
    try {
      int dimension = GuardedDecoder.of(provider, parameters, rules).dimension();
      return new Mapping(
          dimension,
          GuardedDecoder.describe(provider, parameters, rules, dimension),
          () -> again(provider, parameters, rules, dimension));
    } catch (IllegalArgumentException broken) {
      faults.add(
          "events.format", "does not work: " + provider.name() + " says: " + broken.getMessage());
      return null;
    }
  }

  private Unit unit() {
    return switch (values.text("unit.from")) {
      case "field" -> Unit.DECODER;
      case "key" -> Unit.KEY;
      default -> Unit.NONE;
    };
  }

  /** One that worked when the configuration was read must do so for every task: trying again would not help. */
  private static EventDecoder again(
      EventDecoderProvider provider,
      Map<String, String> parameters,
      GuardedDecoder.Rules rules,
      int dimension) {
    GuardedDecoder decoder;
    try {
      decoder = GuardedDecoder.of(provider, parameters, rules);
    } catch (IllegalArgumentException broken) {
      throw new ExtensionFailure(
          "the decoder " + provider.name() + " could be made at the start, and cannot now: "
              + broken.getMessage(),
          broken);
    }
    if (decoder.dimension() != dimension) {
      throw new ExtensionFailure(
          "the decoder " + provider.name() + " had " + dimension
              + " coordinates at the start, and has " + decoder.dimension() + " now",
          null);
    }
    return decoder;
  }
}
