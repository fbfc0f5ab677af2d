package dev.sotto.config.settings;

import dev.sotto.learner.extension.ExtensionException;
import dev.sotto.learner.extension.ExtensionKind;
import dev.sotto.learner.settings.Settings;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.EventDecoderProvider;
import dev.sotto.serdes.event.EventKeys;
import dev.sotto.serdes.event.GuardedDecoder;
import dev.sotto.serdes.event.GuardedDecoder.Unit;
import dev.sotto.serdes.feature.FeatureKeys;
import java.util.Map;

/** Builds the mapping of events that a user's decoder reads. */
final class ExtensionMapping {
  private ExtensionMapping() {}

  static EventMapping read(Settings settings) {
    EventDecoderProvider provider = EventKeys.OWN.named(settings.get(EventKeys.FORMAT));
    Map<String, String> parameters = ExtensionKind.parameters(settings, EventKeys.PARAMETERS);
    Unit unit = switch (settings.get(FeatureKeys.UNIT_FROM)) {
      case FeatureKeys.FIELD -> Unit.DECODER;
      case FeatureKeys.KEY -> Unit.KEY;
      default -> Unit.NONE;
    };
    GuardedDecoder.Rules rules = new GuardedDecoder.Rules(
        settings.get(FeatureKeys.NORM), unit, settings.get(EventKeys.MAX_BYTES));
    try {
      int dimension = GuardedDecoder.of(provider, parameters, rules).dimension();
      return new EventMapping(
          dimension,
          LabelBounds.UNKNOWN,
          GuardedDecoder.describe(provider, parameters, rules, dimension),
          () -> again(provider, parameters, rules, dimension));
    } catch (IllegalArgumentException broken) {
      throw settings.reject(
          EventKeys.FORMAT, "does not work: " + provider.name() + " says: " + broken.getMessage());
    }
  }

  /**
   * One that worked when the configuration was read must do so for every task: trying again would
   * not help.
   */
  private static EventDecoder again(
      EventDecoderProvider provider,
      Map<String, String> parameters,
      GuardedDecoder.Rules rules,
      int dimension) {
    GuardedDecoder decoder;
    try {
      decoder = GuardedDecoder.of(provider, parameters, rules);
    } catch (IllegalArgumentException broken) {
      throw new ExtensionException(
          "the decoder " + provider.name() + " could be made at the start, and cannot now: "
              + broken.getMessage(),
          broken);
    }
    if (decoder.dimension() != dimension) {
      throw new ExtensionException(
          "the decoder " + provider.name() + " had " + dimension
              + " coordinates at the start, and has " + decoder.dimension() + " now",
          null);
    }
    return decoder;
  }
}
