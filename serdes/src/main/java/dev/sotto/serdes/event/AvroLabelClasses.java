package dev.sotto.serdes.event;

import dev.sotto.learner.loss.ObjectiveSettings;
import dev.sotto.learner.settings.ConfigError;
import dev.sotto.serdes.feature.CanonicalText;
import dev.sotto.serdes.feature.FeatureKeys;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.ListedClass;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.avro.Schema;

/** Listed classes of a label against the types that its field has in schemas. */
final class AvroLabelClasses {
  private AvroLabelClasses() {}

  /** An error for each class that no record of these schemas can have. */
  static List<ConfigError> problems(FeatureMap map, List<Schema> writers) {
    LabelRule rule = map.labelRule();
    boolean named = rule instanceof LabelRule.Names;
    List<String> listed = named
        ? ((LabelRule.Names) rule).names()
        : rule instanceof LabelRule.Classes classes ? classes.positive() : List.of();
    List<Schema> types = new ArrayList<>();
    if (!listed.isEmpty()) {
      String[] names = map.labelField().split("\\.", -1);
      writers.forEach(each -> types(each, names, 0, types));
    }
    String key = named ? ObjectiveSettings.LABEL_NAMES.name() : FeatureKeys.LABEL_CLASSES.name();
    return listed.stream()
        .filter(each -> types.stream().noneMatch(type -> canBe(type, each)))
        .map(each -> new ConfigError(
            key,
            "must name what field " + CanonicalText.quoted(map.labelField()) + " can be, but "
                + ListedClass.shown(each) + " is none of " + words(types)))
        .toList();
  }

  private static void types(Schema schema, String[] names, int from, List<Schema> found) {
    switch (schema.getType()) {
      case UNION -> schema.getTypes().forEach(each -> types(each, names, from, found));
      case RECORD -> {
        Schema.Field field = from < names.length ? schema.getField(names[from]) : null;
        if (field != null) {
          types(field.schema(), names, from + 1, found);
        }
      }
      default -> {
        if (from == names.length) {
          found.add(schema);
        }
      }
    }
  }

  private static boolean canBe(Schema type, String item) {
    ListedClass one = ListedClass.of(item);
    return switch (type.getType()) {
      case STRING -> true;
      case BOOLEAN -> one.isBoolean();
      case INT, LONG -> one.isNumber() && one.value() == Math.rint(one.value());
      case FLOAT -> one.isNumber() && (float) one.value() == one.value();
      case DOUBLE -> one.isNumber();
      case ENUM -> type.getEnumSymbols().contains(ListedClass.textOf(item));
      default -> false;
    };
  }

  private static String words(List<Schema> types) {
    TreeSet<String> words = new TreeSet<>();
    for (Schema type : types) {
      switch (type.getType()) {
        case BOOLEAN -> words.add("true and false");
        case INT, LONG -> words.add("the whole numbers");
        case FLOAT -> words.add("the numbers of 32 bits");
        case DOUBLE -> words.add("the numbers");
        case ENUM -> words.add("the symbols " + String.join(", ", type.getEnumSymbols()));
        default -> {}
      }
    }
    return words.isEmpty() ? "the classes that can be read" : String.join(" or ", words);
  }
}
