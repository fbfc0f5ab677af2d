package dev.sotto.learner.example;

import java.util.Arrays;

/**
 * One labelled example: a dense or sparse feature vector, a label and a weight. It is a buffer that
 * decoders refill from record to record, so that nothing is allocated per record.
 *
 * <p>A sparse example holds each index at most once: {@link #add} merges repeated indices, because
 * the clip of a gradient is computed from the stored values, and two entries of one coordinate
 * would hide a part of the norm. Not safe for use by several threads.
 */
public final class Example {
  private static final int NO_PLACE = -1;
  private static final double NOT_MEASURED = -1;
  private static final double[] NONE = {};

  private final int dimension;
  private final int[] places; // coordinate -> place among the non-zeros, or NO_PLACE
  private int[] placed; // the coordinates that have a place, where nobody else can write
  private int[] indices;
  private double[] values;
  private int size;
  private boolean sparse;
  private boolean allPlaced = true; // whether all non-zeros have their place in the array above
  private double label;
  private double weight;
  private double measured = NOT_MEASURED; // the l2 norm, while nothing has changed since
  private double[] numbers = NONE; // without bounds, as they are; NaN where one is missing
  private boolean whole = true;

  /** An empty buffer for vectors of {@code dimension} coordinates, at least 1. */
  public Example(int dimension) {
    if (dimension < 1) {
      throw new IllegalArgumentException("dimension must be at least 1, but was " + dimension);
    }
    this.dimension = dimension;
    this.places = new int[dimension];
    Arrays.fill(places, NO_PLACE);
    this.indices = new int[Math.min(dimension, 16)];
    this.placed = new int[indices.length];
    this.values = new double[Math.min(dimension, 16)];
    clear();
  }

  /** Forgets everything: a sparse zero vector with label 0 and weight 1. */
  public void clear() {
    if (sparse && allPlaced) {
      for (int i = 0; i < size; i++) {
        places[placed[i]] = NO_PLACE;
      }
    }
    measured = NOT_MEASURED;
    size = 0;
    sparse = true;
    allPlaced = true;
    label = 0;
    weight = 1;
    whole = true;
    Arrays.fill(numbers, Double.NaN); // none of the record before
  }

  /**
   * Makes room for numbers whose ranges are measured: all are missing (NaN), and the example is not
   * whole until {@link #complete} has been called.
   */
  public void awaitRanges(int count) {
    if (numbers.length != count) {
      numbers = new double[count];
    }
    Arrays.fill(numbers, Double.NaN);
    whole = false;
  }

  /** Sets one of the numbers whose ranges are measured. */
  public void number(int which, double value) {
    numbers[which] = value;
  }

  /** One of the numbers whose ranges are measured, as it is; NaN where it is missing. */
  public double number(int which) {
    return numbers[which];
  }

  /** What depends on the ranges of its numbers is in its coordinates now. */
  public void complete() {
    whole = true;
  }

  /** Whether nothing in its coordinates waits for the ranges of its numbers. */
  public boolean isWhole() {
    return whole;
  }

  /**
   * Makes this example dense and gives out its values to be filled: all {@link #dimension()} of
   * them, left as they were.
   */
  public double[] dense() {
    clear();
    if (values.length < dimension) {
      values = new double[dimension];
    }
    sparse = false;
    size = dimension;
    return values;
  }

  /**
   * Forgets everything and makes room for a sparse example whose coordinates come in ascending
   * order: fill the first entries of {@link #indices()} and {@link #values()}, then call
   * {@link #ascending}.
   *
   * @param room how many entries, from 0 to {@link #dimension()}
   */
  public void reserve(int room) {
    if (room < 0 || room > dimension) {
      throw new IllegalArgumentException(
          "room must be between 0 and the dimension " + dimension + ", but was " + room);
    }
    clear();
    if (indices.length < room) {
      indices = new int[(int) Math.min(dimension, Math.max(room, 2L * indices.length))];
      placed = new int[indices.length];
    }
    if (values.length < indices.length) {
      values = new double[indices.length];
    }
  }

  /**
   * Takes the entries filled in since {@link #reserve} as a sparse example.
   *
   * @param count how many, at most what was reserved
   * @return whether the coordinates lie below {@link #dimension()} and each above the one before;
   *     if not, the example stays the zero vector
   */
  public boolean ascending(int count) {
    if (!sparse || size > 0) {
      throw new IllegalStateException(
          "ascending must follow reserve, but an example was begun since");
    }
    return extend(count);
  }

  /**
   * Adds to one coordinate of a sparse example.
   *
   * @param index 0-based, below {@link #dimension()}
   * @param value any double; who decodes decides what to do with one that is not finite
   */
  public void add(int index, double value) {
    measured = NOT_MEASURED;
    if (!sparse) {
      values[index] += value;
      return;
    }
    if (!allPlaced) {
      notePlaces();
    }
    int place = places[index];
    if (place != NO_PLACE) {
      values[place] += value;
      return;
    }
    makeRoom();
    places[index] = size;
    placed[size] = index;
    indices[size] = index;
    values[size++] = value;
  }

  /**
   * {@link #add}, faster where coordinates come in ascending order: the place of none has to be
   * remembered.
   */
  public void append(int index, double value) {
    boolean ascending = sparse
        && (size == 0 || !allPlaced)
        && index > (size == 0 ? -1 : indices[size - 1])
        && index < dimension;
    if (!ascending) {
      add(index, value);
      return;
    }
    measured = NOT_MEASURED;
    makeRoom();
    allPlaced = false;
    indices[size] = index;
    values[size++] = value;
  }

  /**
   * Makes room for more entries of a sparse example: write them into {@link #indices()} and
   * {@link #values()} from {@link #size()} on, then call {@link #extend}.
   */
  public void makeRoom(int more) {
    while (indices.length < Math.min(dimension, size + more)) {
      grow();
    }
  }

  /**
   * {@link #append} of the entries that have been written behind those that there are.
   *
   * @param count how many, at most what there is room for
   * @return whether each coordinate is below {@link #dimension()} and above the one before; if not,
   *     nothing is added
   */
  public boolean extend(int count) {
    if (count < 0 || count > indices.length - size) {
      throw new IllegalArgumentException(
          "count must be between 0 and what there is room for, but was " + count);
    }
    int before = size == 0 ? -1 : indices[size - 1];
    boolean ascending = sparse && (size == 0 || !allPlaced);
    for (int i = size; i < size + count; i++) {
      ascending &= indices[i] > before;
      before = indices[i];
    }
    if (!ascending || before >= dimension) {
      return false;
    }
    measured = NOT_MEASURED;
    allPlaced &= count == 0;
    size += count;
    return true;
  }

  private void makeRoom() {
    if (size == indices.length) {
      grow();
    }
  }

  private void grow() {
    int room = (int) Math.min(dimension, 2L * indices.length);
    indices = Arrays.copyOf(indices, room);
    placed = Arrays.copyOf(placed, room);
    values = Arrays.copyOf(values, Math.max(room, values.length));
  }

  /**
   * Becomes an example that was seen before, coordinates in the same order.
   *
   * @param coordinates of a sparse one, each once; null where it is dense
   * @param from its values: as many, or one for each coordinate
   */
  public void restore(int[] coordinates, double[] from) {
    if (coordinates == null) {
      System.arraycopy(from, 0, dense(), 0, dimension);
      return;
    }
    reserve(coordinates.length);
    System.arraycopy(coordinates, 0, indices, 0, coordinates.length);
    System.arraycopy(from, 0, values, 0, coordinates.length);
    measured = NOT_MEASURED;
    size = coordinates.length;
    allPlaced = size == 0;
  }

  private void notePlaces() {
    allPlaced = true; // first: where a coordinate is out of range, clear() must find those before
    for (int i = 0; i < size; i++) {
      places[indices[i]] = i;
      placed[i] = indices[i];
    }
  }

  /** Sets the label. */
  public void label(double newLabel) {
    label = newLabel;
  }

  /** Sets the weight, a factor of the gradient before it is clipped. */
  public void weight(double newWeight) {
    weight = newWeight;
  }

  /** Multiplies every feature by the same number. */
  public void scale(double factor) {
    measured = NOT_MEASURED;
    for (int i = 0; i < size; i++) {
      values[i] *= factor;
    }
  }

  /** The number of coordinates. */
  public int dimension() {
    return dimension;
  }

  /** Whether only some coordinates are stored. */
  public boolean isSparse() {
    return sparse;
  }

  /**
   * How many values are stored: {@link #dimension()} of a dense example, the non-zeros of a sparse
   * one.
   */
  public int size() {
    return size;
  }

  /** The coordinate of the stored value at {@code place}. */
  public int index(int place) {
    return sparse ? indices[place] : place;
  }

  /** The stored value at {@code place}. */
  public double value(int place) {
    return values[place];
  }

  /** The label. */
  public double label() {
    return label;
  }

  /** The weight, 1 unless the record says otherwise. */
  public double weight() {
    return weight;
  }

  /**
   * The buffer of the first {@link #size()} stored values, for loops that must be fast; to be
   * changed only after {@link #dense()}, {@link #reserve} or {@link #makeRoom}, and never after
   * {@link #measure}.
   */
  public double[] values() {
    return values;
  }

  /**
   * The buffer of the first {@link #size()} coordinates of a sparse example; to be changed only
   * between {@link #reserve} and {@link #ascending}, or {@link #makeRoom} and {@link #extend}.
   */
  public int[] indices() {
    return indices;
  }

  /** The inner product with a vector of {@link #dimension()} entries, summed in a fixed order. */
  public double dot(double[] vector) {
    return sparse ? sparseDot(vector, 0) : Vectors.dot(values, vector, dimension);
  }

  /**
   * The inner products with the rows of a matrix, each summed in a fixed order.
   *
   * @param matrix row-major, rows of {@link #dimension()} entries; what follows them is not read
   * @param into one entry a row
   */
  public void dots(double[] matrix, double[] into) {
    for (int row = 0; row < into.length; row++) {
      int from = row * dimension;
      into[row] = sparse ? sparseDot(matrix, from) : Vectors.dot(values, matrix, from, dimension);
    }
  }

  private double sparseDot(double[] matrix, int from) {
    double sum = 0;
    for (int i = 0; i < size; i++) {
      sum += values[i] * matrix[from + indices[i]];
    }
    return sum;
  }

  /**
   * The l2 norm, without overflow or underflow; NaN or infinite where a value is. It is computed
   * from the values, unless they have been measured and not changed since.
   */
  public double norm() {
    return measured >= 0 ? measured : Vectors.norm(values, size);
  }

  /**
   * {@link #norm()}, which is kept until a method of this class changes a value. The clip of a
   * gradient rests on it: only for who hands the example on and writes into {@link #values()} no
   * more.
   */
  public double measure() {
    measured = norm(); // where it is NaN, norm() computes it again
    return measured;
  }

  /** The l1 norm; NaN or infinite where a value is, infinite where it overflows. */
  public double l1Norm() {
    return Vectors.l1Norm(values, size);
  }

  /**
   * Whether its coordinates lie below {@link #dimension()}, each once; false after somebody has
   * written into {@link #indices()} when that was not allowed. What is not sound must not be used
   * again, {@link #clear()} or not.
   */
  public boolean isSound() {
    for (int i = 0; sparse && i < size; i++) {
      int index = indices[i];
      if (index < 0
          || index >= dimension
          || (allPlaced ? places[index] != i : i > 0 && index <= indices[i - 1])) {
        return false;
      }
    }
    return true;
  }

  /** Forgets everything, what is left in the buffers included. */
  public void wipe() {
    clear();
    Arrays.fill(values, 0);
    Arrays.fill(indices, 0);
    Arrays.fill(numbers, 0);
  }

  /** Whether every stored value, the label and the weight are finite. */
  public boolean isFinite() {
    boolean features =
        measured >= 0 && measured < Double.POSITIVE_INFINITY || Vectors.isFinite(values, size);
    return features && Double.isFinite(label) && Double.isFinite(weight);
  }
}
