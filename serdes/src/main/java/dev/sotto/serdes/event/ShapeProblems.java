package dev.sotto.serdes.event;

import dev.sotto.learner.loss.ObjectiveSettings;
import dev.sotto.learner.settings.ConfigError;
import dev.sotto.learner.settings.NameSuggestion;
import dev.sotto.serdes.feature.CanonicalText;
import dev.sotto.serdes.feature.FeatureKeys;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FieldUse;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.ListedClass;
import dev.sotto.serdes.schema.FieldShape;
import dev.sotto.serdes.schema.FieldShape.Found;
import dev.sotto.serdes.schema.FieldShape.Plain;
import dev.sotto.serdes.schema.FieldShape.Words;
import dev.sotto.serdes.schema.WriterSchema;
import dev.sotto.serdes.schema.WriterSchema.AvroSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What a map reads, held against what records can hold by their writers' schemas. */
public final class ShapeProblems {
  private static final int SHORT = 3; // letters of a name that is near to any other

  private final FeatureMap map;
  private final List<FieldShape> shapes;
  private final String key;
  private final List<ConfigError> problems = new ArrayList<>();

  private ShapeProblems(FeatureMap map, List<FieldShape> shapes, String key) {
    this.map = map;
    this.shapes = shapes;
    this.key = key;
  }

  /**
   * Schemas by which no record can be read, fields that no record has or that cannot be read in
   * any, and classes that no label can be.
   *
   * @param key of the setting that names the schemas
   */
  public static List<ConfigError> of(FeatureMap map, List<WriterSchema> writers, String key) {
    return of(map, writers, key, false);
  }

  /**
   * Those of them for which no record of these schemas could be used at all: a field that a record
   * may be without, or may have although its schema does not state it, may be in none of them.
   */
  public static List<ConfigError> unusable(FeatureMap map, List<WriterSchema> writers) {
    return of(map, writers, "", true);
  }

  private static List<ConfigError> of(
      FeatureMap map, List<WriterSchema> writers, String key, boolean unusable) {
    List<FieldShape> shapes =
        writers.stream().flatMap(each -> each.shapes().stream()).toList();
    ShapeProblems found = new ShapeProblems(map, shapes, key);
    if (writers.isEmpty()) {
      found.add("must hold at least one schema, but held 0");
    }
    for (WriterSchema each : writers) {
      if (each instanceof AvroSchema avro) {
        AvroFieldReader.problems(avro.schema()).forEach(found::add);
      }
    }
    if (!found.problems.isEmpty()) {
      return found.problems;
    }
    Set<String> optional = unusable ? map.optionalFields() : Set.of();
    map.fields().stream()
        .filter(path -> !optional.contains(path))
        .filter(path -> !unusable || found.found(path).stream().noneMatch(Found::isOpen))
        .forEach(found::checkPath);
    map.uses().forEach(found::checkTypes);
    return found.problems.isEmpty() ? found.classes() : found.problems;
  }

  private void add(String rule) {
    problems.add(new ConfigError(key, rule));
  }

  private List<Found> found(String path) {
    return shapes.stream().map(each -> Found.of(each, path)).toList();
  }

  private List<FieldShape> types(String path) {
    return found(path).stream().flatMap(each -> each.types().stream()).toList();
  }

  private void checkPath(String path) {
    List<Found> found = found(path);
    if (found.stream().noneMatch(Found::isThere)) {
      String fault = found.stream().anyMatch(Found::isBlocked)
          ? "lies inside an array or a map"
          : "is in none of " + shapes.size() + NameSuggestion.hint(suggestion(path));
      add("must have every field that is read, but " + CanonicalText.quoted(path) + " " + fault);
    }
  }

  private String suggestion(String path) {
    List<String> names =
        shapes.stream().flatMap(each -> each.names().stream()).distinct().toList();
    return path.length() < SHORT ? null : NameSuggestion.of(path, names);
  }

  /** A field that has a type, in all that have it, which cannot be read as what it is to be. */
  private void checkTypes(String path, Set<FieldUse> uses) {
    List<FieldShape> types = types(path);
    uses.stream()
        .sorted()
        .filter(use -> !types.isEmpty() && types.stream().noneMatch(each -> each.reads(use)))
        .forEach(use -> add("must have fields that can be read, but " + CanonicalText.quoted(path)
            + " is to be " + use.words() + " and is "
            + types.stream().map(FieldShape::type).distinct().collect(Collectors.joining(" or "))));
  }

  /** An error for each class that no record can have. */
  private List<ConfigError> classes() {
    LabelRule rule = map.labelRule();
    boolean named = rule instanceof LabelRule.Names;
    List<String> listed = named
        ? ((LabelRule.Names) rule).names()
        : rule instanceof LabelRule.Classes classes ? classes.positive() : List.of();
    List<FieldShape> types = listed.isEmpty() ? List.of() : types(map.labelField());
    String setting =
        named ? ObjectiveSettings.LABEL_NAMES.name() : FeatureKeys.LABEL_CLASSES.name();
    return listed.stream()
        .filter(each -> types.stream().noneMatch(type -> canBe(type, each)))
        .map(each -> new ConfigError(
            setting,
            "must name what field " + CanonicalText.quoted(map.labelField()) + " can be, but "
                + ListedClass.shown(each) + " is none of " + words(types)))
        .toList();
  }

  private static boolean canBe(FieldShape type, String item) {
    if (type instanceof Words words) {
      return words.words().contains(ListedClass.textOf(item));
    }
    ListedClass one = ListedClass.of(item);
    return type instanceof Plain plain
        && switch (plain.kind()) {
          case TEXT, ANY -> true;
          case BOOLEAN -> one.isBoolean();
          case WHOLE -> one.isNumber() && one.value() == Math.rint(one.value());
          case FLOAT -> one.isNumber() && (float) one.value() == one.value();
          case DOUBLE -> one.isNumber();
          case NULL -> false;
        };
  }

  private static String words(List<FieldShape> types) {
    TreeSet<String> words = new TreeSet<>();
    for (FieldShape type : types) {
      if (type instanceof Words symbols) {
        words.add("the symbols " + String.join(", ", symbols.words()));
      } else if (type instanceof Plain plain) {
        switch (plain.kind()) {
          case BOOLEAN -> words.add("true and false");
          case WHOLE -> words.add("the whole numbers");
          case FLOAT -> words.add("the numbers of 32 bits");
          case DOUBLE -> words.add("the numbers");
          default -> {}
        }
      }
    }
    return words.isEmpty() ? "the classes that can be read" : String.join(" or ", words);
  }
}
