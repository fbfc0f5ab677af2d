package dev.sotto.config.settings;

import static dev.sotto.serdes.event.EventKeys.DIMENSION;
import static dev.sotto.serdes.event.EventKeys.FORMAT;
import static dev.sotto.serdes.event.EventKeys.MAX_BYTES;
import static dev.sotto.serdes.feature.FeatureKeys.UNIT_FROM;

import dev.sotto.learner.range.UnboundedNumbers;
import dev.sotto.learner.settings.Settings;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.EventKeys;
import dev.sotto.serdes.feature.FeatureKeys;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import dev.sotto.topology.registry.RegistrySettings;
import dev.sotto.topology.registry.SchemaRegistry;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * From event to example.
 *
 * @param dimension coordinates of an example
 * @param labels what is known of them
 * @param text everything that decides what an event becomes, in canonical text
 * @param decoder makes one decoder per task
 * @param registry that decoders ask for schemas, if they do
 * @param numbers of an example whose ranges are measured
 */
public record EventMapping(
    int dimension,
    LabelBounds labels,
    String text,
    Supplier<EventDecoder> decoder,
    Optional<SchemaRegistry> registry,
    UnboundedNumbers numbers) {
  /** Of events whose schemas no registry has, and whose numbers need not be measured. */
  EventMapping(int dimension, LabelBounds labels, String text, Supplier<EventDecoder> decoder) {
    this(dimension, labels, text, decoder, Optional.empty(), UnboundedNumbers.NONE);
  }

  /** The same with decoders that ask a registry. */
  EventMapping with(SchemaRegistry asked) {
    return new EventMapping(dimension, labels, text, decoder, Optional.of(asked), numbers);
  }

  /** The same with numbers whose ranges are measured. */
  EventMapping with(UnboundedNumbers measured) {
    return new EventMapping(dimension, labels, text, decoder, registry, measured);
  }

  /** Out of settings. */
  public static EventMapping read(
      Settings settings, Map<String, String> environment, RegistrySettings.Shared registries) {
    EventKeys.OWN.check(settings, FORMAT);
    return switch (settings.get(FORMAT)) {
      case EventKeys.EXAMPLE -> examples(settings);
      case EventKeys.JSON, EventKeys.AVRO, EventKeys.PROTOBUF, EventKeys.JSON_SCHEMA ->
        new FieldMapping(settings, environment, registries).read();
      default -> ExtensionMapping.read(settings);
    };
  }

  private static EventMapping examples(Settings settings) {
    // An example names a record, to be counted once, apart from its user.
    boolean byId = settings.isUsable(PlanKeys.CONTRIBUTION)
        && settings.get(PlanKeys.CONTRIBUTION).equals(PlanKeys.FIRST_OF_ID);
    UnitSource unit = switch (settings.get(UNIT_FROM)) {
      case FeatureKeys.FIELD -> byId ? UnitSource.ID : UnitSource.UNIT;
      case FeatureKeys.KEY -> UnitSource.KEY;
      default -> UnitSource.NONE;
    };
    int dimension = settings.get(DIMENSION);
    int longest = settings.get(MAX_BYTES);
    String text = "examples 1\ndimension " + dimension + "\nunit "
        + unit.name().toLowerCase(Locale.ROOT) + "\nmax-bytes " + longest + "\n";
    return new EventMapping(
        dimension, LabelBounds.UNKNOWN, text, () -> new ExampleCodec(dimension, longest, unit));
  }
}
