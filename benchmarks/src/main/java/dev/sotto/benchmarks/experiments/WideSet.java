package dev.sotto.benchmarks.experiments;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A recorded set with many sparse features: every category, every number once more as one of 16
 * buckets, and all crosses of two of these, hashed.
 */
enum WideSet {
  BANK(QualitySet.BANK),
  FLIGHTS_A(QualitySet.FLIGHTS_A),
  FLIGHTS_B(QualitySet.FLIGHTS_B),
  INCIDENTS(QualitySet.INCIDENTS),
  /** Spruce and pine against the five other kinds. */
  COVTYPE(QualitySet.COVTYPE),
  A9A(QualitySet.A9A);

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int BUCKETS = 16;
  /** The columns of a9a that code one field of Adult each, by their number. */
  private static final int[] ADULT = {5, 8, 5, 16, 5, 7, 14, 6, 5, 2, 2, 2, 5, 41};

  final String label;
  private final QualitySet set;

  WideSet(QualitySet set) {
    this.set = set;
    this.label = set.label;
  }

  /** The set, decoded into 2^bits hashed coordinates. */
  QualityRun run(Path folder, int bits) throws IOException {
    List<String> settings = new ArrayList<>();
    List<String> categories = new ArrayList<>(); // paths of fields
    Map<String, double[]> numbers = new TreeMap<>(); // lowest and highest, by path
    List<byte[]> events = set.events(folder);
    read(folder, settings, categories, numbers);
    if (set == QualitySet.A9A) {
      for (int field = 0; field < ADULT.length; field++) {
        categories.add("a" + field);
      }
      events.replaceAll(WideSet::adult);
    } else {
      for (String path : numbers.keySet()) {
        categories.add("bucket_" + path.replace("x.", ""));
      }
      events.replaceAll(event -> bucketed(event, numbers));
    }
    for (int i = 0; i < categories.size(); i++) {
      settings.add("features.categorical.c" + i + ".field=" + categories.get(i));
      settings.add("features.categorical.c" + i + ".optional=true");
      for (int j = 0; j < i; j++) {
        String cross = "features.cross.c" + j + "x" + i;
        settings.add(cross + ".fields=" + categories.get(j) + "," + categories.get(i));
        settings.add(cross + ".optional=true");
      }
    }
    settings.add("features.hash.bits=" + bits);
    return new QualityRun(label, settings, events);
  }

  /** Takes the fields, and the settings that stay, out of those of the narrow set. */
  private void read(
      Path folder, List<String> settings, List<String> categories, Map<String, double[]> numbers)
      throws IOException {
    Map<String, String> paths = new TreeMap<>();
    for (String setting : set.settings(folder)) {
      String key = setting.substring(0, setting.indexOf('='));
      String value = setting.substring(setting.indexOf('=') + 1);
      if (key.startsWith("features.categorical.")) {
        if (key.endsWith(".field")) {
          categories.add(value);
        }
      } else if (key.startsWith("features.numeric.") && set == QualitySet.A9A) {
        continue;
      } else if (key.equals("label.names")) {
        settings.add("label.classes=1,2");
      } else if (key.equals("loss")) {
        settings.add("loss=logistic");
      } else {
        settings.add(setting);
      }
      if (key.startsWith("features.numeric.")) {
        String name = key.substring(17, key.lastIndexOf('.'));
        if (key.endsWith(".field")) {
          paths.put(name, value);
          numbers.put(value, new double[2]);
        } else if (key.endsWith(".min")) {
          numbers.get(paths.get(name))[0] = Double.parseDouble(value);
        } else if (key.endsWith(".max")) {
          numbers.get(paths.get(name))[1] = Double.parseDouble(value);
        }
      }
    }
  }

  private static byte[] bucketed(byte[] event, Map<String, double[]> numbers) {
    try {
      ObjectNode node = (ObjectNode) JSON.readTree(event);
      numbers.forEach((path, bounds) -> {
        ObjectNode inner = path.startsWith("x.") ? (ObjectNode) node.get("x") : node;
        String name = path.replace("x.", "");
        if (inner.path(name).isNumber()) {
          double share = (inner.get(name).asDouble() - bounds[0]) / (bounds[1] - bounds[0]);
          node.put("bucket_" + name, (int)
              Math.floor(BUCKETS * Math.min(Math.max(share, 0), 0.999)));
        }
      });
      return JSON.writeValueAsBytes(node);
    } catch (IOException broken) {
      throw new IllegalArgumentException(broken);
    }
  }

  private static byte[] adult(byte[] event) {
    try {
      ObjectNode node = (ObjectNode) JSON.readTree(event);
      int column = 1;
      for (int field = 0; field < ADULT.length; field++) {
        for (int value = 0; value < ADULT[field]; value++) {
          if (node.has("f" + column++)) {
            node.put("a" + field, "v" + value);
          }
        }
      }
      return JSON.writeValueAsBytes(node);
    } catch (IOException broken) {
      throw new IllegalArgumentException(broken);
    }
  }
}
