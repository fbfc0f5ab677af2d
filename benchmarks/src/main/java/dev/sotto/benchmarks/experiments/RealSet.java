package dev.sotto.benchmarks.experiments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.learner.example.Example;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.zip.GZIPInputStream;

/** A recorded data set, encoded, in the order of its file. */
final class RealSet implements ExampleStream {
  private final int dimension;
  private double[] labels = new double[1024];
  private int[] ends = new int[1024]; // where the entries of a row end
  private int[] indices = new int[1024];
  private double[] values = new double[1024];
  private int count;

  private RealSet(int dimension) {
    this.dimension = dimension;
  }

  /** The census set in LIBSVM's format: binary features as they stand, labels 0 and 1. */
  static RealSet a9a(Path folder) throws IOException {
    int features = schema(folder).get("a9a.libsvm.gz").get("n_features").asInt();
    RealSet set = new RealSet(features + 1);
    try (BufferedReader lines = lines(folder, "a9a.libsvm.gz")) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] parts = line.strip().split(" ");
        double[] vector = new double[features + 1];
        vector[0] = 1;
        for (int i = 1; i < parts.length; i++) {
          String[] pair = parts[i].split(":");
          vector[Integer.parseInt(pair[0])] =
              Double.parseDouble(pair[1]); // from 1, as the bias is 0
        }
        set.add(Encoder.unit(vector), Double.parseDouble(parts[0]) > 0 ? 1 : 0);
      }
    }
    return set;
  }

  /** The forest set; the label is the index of the class. */
  static RealSet covtype(Path folder) throws IOException {
    JsonNode schema = schema(folder).get("covtype_15k.csv.gz");
    Encoder encoder = new Encoder(schema.get("features"));
    Map<String, Integer> classes = new HashMap<>();
    schema.get("label").get("classes").forEach(each -> classes.put(each.asText(), classes.size()));
    String label = schema.get("label").get("column").asText();
    RealSet set = new RealSet(encoder.dimension());
    try (BufferedReader lines = lines(folder, "covtype_15k.csv.gz")) {
      List<String> header = List.of(lines.readLine().split(",", -1));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] cells = line.split(",", -1);
        set.add(
            encoder.encode(name -> cells[header.indexOf(name)]),
            classes.get(cells[header.indexOf(label)]));
      }
    }
    return set;
  }

  /** The flights, task B: late or not, from schedule and departure delay. */
  static RealSet flights(Path folder) throws IOException {
    JsonNode task = schema(folder).get("hflights_by_tail.jsonl.gz").get("tasks").get("B");
    Encoder encoder = new Encoder(task.get("features"));
    JsonNode label = task.get("label");
    ObjectMapper json = new ObjectMapper();
    RealSet set = new RealSet(encoder.dimension());
    try (BufferedReader lines = lines(folder, "hflights_by_tail.jsonl.gz")) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode event = json.readTree(line);
        JsonNode row = event.get("x");
        boolean positive = event.get(label.get("field").asText()).asInt()
            == label.get("positive").asInt();
        set.add(
            encoder.encode(name -> row.hasNonNull(name) ? row.get(name).asText() : null),
            positive ? 1 : 0);
      }
    }
    return set;
  }

  private static JsonNode schema(Path folder) throws IOException {
    return new ObjectMapper().readTree(folder.resolve("schema.json").toFile());
  }

  private static BufferedReader lines(Path folder, String file) throws IOException {
    return new BufferedReader(new InputStreamReader(
        new GZIPInputStream(Files.newInputStream(folder.resolve(file))), StandardCharsets.UTF_8));
  }

  private void add(double[] vector, double label) {
    int end = entries();
    if (count == labels.length) {
      labels = Arrays.copyOf(labels, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
    }
    if (end + vector.length > indices.length) {
      indices = Arrays.copyOf(indices, 2 * (end + vector.length));
      values = Arrays.copyOf(values, indices.length);
    }
    for (int j = 0; j < vector.length; j++) {
      if (vector[j] != 0) {
        indices[end] = j;
        values[end++] = vector[j];
      }
    }
    ends[count] = end;
    labels[count++] = label;
  }

  /** The same rows under other labels; they share their features. */
  RealSet relabelled(DoubleUnaryOperator change) {
    RealSet other = new RealSet(dimension);
    other.ends = ends;
    other.indices = indices;
    other.values = values;
    other.count = count;
    other.labels = Arrays.stream(labels).limit(count).map(change).toArray();
    return other;
  }

  /** The same rows in a drawn order. */
  RealSet shuffled(long seed) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      order.add(i);
    }
    Collections.shuffle(order, new Random(seed));
    RealSet other = new RealSet(dimension);
    for (int place : order) {
      double[] vector = new double[dimension];
      addTo(vector, place, 1);
      other.add(vector, labels[place]);
    }
    return other;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public int dimension() {
    return dimension;
  }

  @Override
  public void read(int place, Example into) {
    int start = start(place);
    int size = ends[place] - start;
    into.reserve(size);
    System.arraycopy(indices, start, into.indices(), 0, size);
    System.arraycopy(values, start, into.values(), 0, size);
    into.ascending(size);
    into.label(labels[place]);
  }

  double label(int place) {
    return labels[place];
  }

  /** The inner product of a row. */
  double dot(int place, double[] weights) {
    double sum = 0;
    for (int k = start(place); k < ends[place]; k++) {
      sum += values[k] * weights[indices[k]];
    }
    return sum;
  }

  /** Adds a multiple of a row. */
  void addTo(double[] sum, int place, double factor) {
    for (int k = start(place); k < ends[place]; k++) {
      sum[indices[k]] += factor * values[k];
    }
  }

  private int start(int place) {
    return place == 0 ? 0 : ends[place - 1];
  }

  /** How many coordinates are not 0. */
  int entries() {
    return count == 0 ? 0 : ends[count - 1];
  }

  /** The sum of all coordinates. */
  double sum() {
    return Arrays.stream(values, 0, entries()).sum();
  }

  /** The sum of all labels. */
  double labelSum() {
    return Arrays.stream(labels, 0, count).sum();
  }
}
