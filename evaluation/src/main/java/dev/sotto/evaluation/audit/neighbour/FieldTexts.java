package dev.sotto.evaluation.audit.neighbour;

import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FieldUse;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.ListedClass;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Values of the fields that feature maps read, each a number or a text. */
final class FieldTexts {
  private final List<FeatureMap> maps;

  /** Of the maps of all candidates. */
  FieldTexts(List<FeatureMap> maps) {
    this.maps = maps;
  }

  /** The paths of all fields. */
  List<String> paths() {
    return maps.stream().flatMap(each -> each.fields().stream()).distinct().toList();
  }

  /** All fields by their paths, those that are given first. */
  Map<String, Object> draw(Map<String, String> given, Random random) {
    Map<String, Object> all = new LinkedHashMap<>(given);
    for (FeatureMap map : maps) {
      map.uses().forEach((path, uses) -> all.putIfAbsent(path, value(map, path, uses, random)));
    }
    return all;
  }

  private static Object value(FeatureMap map, String path, Set<FieldUse> uses, Random random) {
    if (path.equals(map.labelField())) {
      return label(map.labelRule(), random);
    }
    if (uses.contains(FieldUse.NAME)) {
      return "unit-" + random.nextInt(5);
    }
    return uses.contains(FieldUse.NUMBER) ? 3 * random.nextDouble() - 1 : "c" + random.nextInt(5);
  }

  private static Object label(LabelRule rule, Random random) {
    if (rule instanceof LabelRule.Threshold at) {
      return at.threshold() + (random.nextBoolean() ? 1.0 : -1.0);
    }
    if (rule instanceof LabelRule.Classes of) {
      return random.nextBoolean() ? ListedClass.textOf(of.positive().get(0)) : "none of these";
    }
    if (rule instanceof LabelRule.Names of) {
      return of.texts().get(random.nextInt(of.names().size()));
    }
    if (rule instanceof LabelRule.Range range) {
      return range.min() + random.nextDouble() * (range.max() - range.min());
    }
    return (double) random.nextInt(2);
  }
}
