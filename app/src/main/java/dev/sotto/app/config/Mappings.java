package dev.sotto.app.config;

import dev.sotto.serdes.event.AvroEventDecoder;
import dev.sotto.serdes.event.AvroFraming;
import dev.sotto.serdes.event.FeatureMap;
import dev.sotto.serdes.event.FeatureMapBuilder;
import dev.sotto.serdes.event.JsonEventDecoder;
import dev.sotto.serdes.event.LabelRule;
import dev.sotto.serdes.event.NormRule;
import dev.sotto.serdes.event.Transform;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/** Builds the way from event to example out of settings. */
final class Mappings {
  private static final String NUMERIC = "features.numeric.";
  private static final String CATEGORICAL = "features.categorical.";
  private static final String CROSS = "features.cross.";

  private final Values values;
  private final Faults faults;

  Mappings(Values values, Faults faults) {
    this.values = values;
    this.faults = faults;
  }

  /** The mapping, or null after a fault. */
  Mapping build() {
    Own.DECODER.check(faults);
    if (!values.sound("events.format")) {
      return null;
    }
    return switch (values.text("events.format")) {
      case "example" -> examples();
      case "json", "avro" -> fields();
      default -> new OwnMapping(values, faults).build();
    };
  }

  /** Whether a unit is a record with all its duplicates; an example names it apart from its user. */
  private boolean countsIds() {
    String key = PrivacyKeys.CONTRIBUTION;
    return values.has(key) && values.text(key).equals("first-of-id");
  }

  private Mapping examples() {
    if (!values.sound("features.dimension", "unit.from", "events.max.bytes")) {
      return null;
    }
    UnitSource unit = switch (values.text("unit.from")) {
      case "field" -> countsIds() ? UnitSource.ID : UnitSource.UNIT;
      case "key" -> UnitSource.KEY;
      default -> UnitSource.NONE;
    };
    int dimension = (int) values.whole("features.dimension");
    int longest = (int) values.whole("events.max.bytes");
    String text = "examples 1\ndimension " + dimension + "\nunit " + word(unit) + "\nmax-bytes "
        + longest + "\n";
    return new Mapping(dimension, text, () -> new ExampleCodec(dimension, longest, unit));
  }

  private Mapping fields() {
    FeatureMap map = map();
    List<Schema> schemas = values.text("events.format").equals("avro") ? schemas() : List.of();
    if (map == null || schemas == null || !values.sound("events.max.bytes")) {
      return null;
    }
    int longest = (int) values.whole("events.max.bytes");
    String limit = "max-bytes " + longest + "\n";
    if (values.text("events.format").equals("json")) {
      return new Mapping(
          map.dimension(),
          map.describe() + "events json\n" + limit,
          () -> new JsonEventDecoder(map, longest));
    }
    if (!values.sound("events.avro.framing")) {
      return null;
    }
    AvroFraming framing = AvroFraming.valueOf(constant(values.text("events.avro.framing")));
    List<String> problems = AvroEventDecoder.problems(map, framing, schemas);
    problems.forEach(faults::sentence);
    if (!problems.isEmpty()) {
      return null;
    }
    // With raw framing the one schema decides what the bytes mean; otherwise each record names its
    // own.
    String meaning = framing == AvroFraming.RAW
        ? " " + Long.toHexString(SchemaNormalization.parsingFingerprint64(schemas.get(0)))
        : "";
    String text = map.describe() + "events avro " + values.text("events.avro.framing") + meaning
        + "\n" + limit;
    return new Mapping(
        map.dimension(), text, () -> new AvroEventDecoder(map, framing, schemas, longest));
  }

  private FeatureMap map() {
    FeatureMapBuilder builder = FeatureMap.builder();
    boolean sound = common(builder) & features(builder) & label(builder) & unit(builder);
    List<String> problems = builder.problems();
    problems.forEach(faults::sentence);
    return sound && problems.isEmpty() ? builder.build() : null;
  }

  private boolean common(FeatureMapBuilder builder) {
    if (!values.sound("features.bias", "features.norm", "features.hash.bits")) {
      return false;
    }
    builder
        .bias(values.flag("features.bias"))
        .norm(NormRule.valueOf(constant(values.text("features.norm"))))
        .hashBits((int) values.whole("features.hash.bits"));
    return true;
  }

  /** In alphabetical order: two files with the same settings give the same model. */
  private boolean features(FeatureMapBuilder builder) {
    boolean sound = true;
    for (String name : values.names(NUMERIC)) {
      String key = NUMERIC + name;
      if (!values.sound(
          key + ".field", key + ".min", key + ".max", key + ".transform", key + ".optional")) {
        sound = false;
        continue;
      }
      builder.numeric(
          name,
          values.text(key + ".field"),
          values.number(key + ".min"),
          values.number(key + ".max"),
          Transform.valueOf(constant(values.text(key + ".transform"))),
          values.flag(key + ".optional"));
    }
    for (String name : values.names(CATEGORICAL)) {
      String key = CATEGORICAL + name;
      if (!values.sound(key + ".field", key + ".optional")) {
        sound = false;
        continue;
      }
      builder.categorical(name, values.text(key + ".field"), values.flag(key + ".optional"));
    }
    for (String name : values.names(CROSS)) {
      String key = CROSS + name;
      if (!values.sound(key + ".fields", key + ".optional")) {
        sound = false;
        continue;
      }
      builder.cross(name, values.list(key + ".fields"), values.flag(key + ".optional"));
    }
    return sound;
  }

  private boolean label(FeatureMapBuilder builder) {
    // Told already if it is missing; its rule is set once that is known to be sound.
    builder.label(
        values.has("label.field") ? values.text("label.field") : "-", new LabelRule.AsItIs());
    boolean range = values.given("label.min") || values.given("label.max");
    List<String> rules = new ArrayList<>();
    rules.addAll(values.given("label.threshold") ? List.of("label.threshold") : List.of());
    rules.addAll(values.given("label.classes") ? List.of("label.classes") : List.of());
    rules.addAll(values.given(Goals.NAMES) ? List.of(Goals.NAMES) : List.of());
    rules.addAll(range ? List.of("label.min", "label.max") : List.of());
    if (rules.size() > (range ? 2 : 1)) {
      faults.add(
          rules.get(0),
          "must be the only rule of the label, but so are "
              + String.join(", ", rules.subList(1, rules.size())) + "; remove all but one");
      return false;
    }
    if (range) {
      for (String bound : rules) {
        if (!values.given(bound)) {
          faults.add(
              bound, "must be given together with the other bound of the label, but is missing");
        }
      }
    }
    if (!values.has("label.field") || !rules.stream().allMatch(values::has)) {
      return false;
    }
    LabelRule rule = switch (rules.isEmpty() ? "" : rules.get(0)) {
      case "label.threshold" -> new LabelRule.Threshold(values.number("label.threshold"));
      case "label.classes" -> new LabelRule.Classes(values.list("label.classes"));
      case Goals.NAMES -> new LabelRule.Names(values.list(Goals.NAMES));
      case "label.min" ->
        new LabelRule.Range(values.number("label.min"), values.number("label.max"));
      default -> new LabelRule.AsItIs();
    };
    builder.label(values.text("label.field"), rule);
    return suits(rule);
  }

  /** Whether the labels that a rule gives mean something to the loss. */
  private boolean suits(LabelRule rule) {
    if (!values.has("loss")) {
      return true;
    }
    boolean classes = Goals.tellsClassesApart(values);
    String loss = values.text("loss");
    if (rule instanceof LabelRule.Names && !classes) {
      faults.add(
          Goals.NAMES,
          "must be absent with loss " + loss
              + ", whose labels are not numbers of classes; use label.classes for 1 and 0");
      return false;
    }
    boolean hinge = loss.equals("hinge") || loss.equals("smoothed-hinge");
    if (rule instanceof LabelRule.Range && (hinge || classes)) {
      faults.add(
          "label.min",
          "must be absent with loss " + loss
              + (hinge
                  ? ", which needs labels of 0 and 1; use label.threshold or label.classes"
                  : ", which needs numbers of classes; use label.names"));
      return false;
    }
    return true;
  }

  private boolean unit(FeatureMapBuilder builder) {
    if (values.given("weight.field")) {
      if (!values.has("weight.field")) {
        return false;
      }
      builder.weight(values.text("weight.field"));
    }
    if (!values.sound("unit.from")) {
      return false;
    }
    if (values.text("unit.from").equals("key")) {
      builder.unitFromKey();
    } else if (values.text("unit.from").equals("field")) {
      if (!values.has("unit.field")) {
        return false;
      }
      builder.unitField(values.text("unit.field"));
    }
    return true;
  }

  private List<Schema> schemas() {
    if (!values.sound("events.avro.schemas")) {
      return null;
    }
    List<Schema> schemas = new ArrayList<>();
    for (String file : values.list("events.avro.schemas")) {
      try {
        // A parser of its own for each: versions of one record share its name.
        schemas.add(new Schema.Parser().parse(Files.readString(Path.of(file))));
      } catch (IOException | InvalidPathException unreadable) {
        faults.must("events.avro.schemas", "name readable files", file);
      } catch (RuntimeException noSchema) {
        faults.must(
            "events.avro.schemas",
            "name files with one Avro schema each",
            file + " ("
                + String.valueOf(noSchema.getMessage()).lines().findFirst().orElse("") + ")");
      }
    }
    return faults.touch("events.avro.schemas") ? null : schemas;
  }

  private static String word(UnitSource unit) {
    return unit.name().toLowerCase(Locale.ROOT);
  }

  static String constant(String word) {
    return word.toUpperCase(Locale.ROOT).replace('-', '_');
  }
}
