package dev.sotto.benchmarks.experiments;

import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Lines, with bars of half the range of the repetitions to either side. */
final class Chart {
  private static final Color[] MANY = {
    new Color(0x777777),
    new Color(0x000000),
    new Color(0x8a6100),
    new Color(0x0063a6),
    new Color(0x007d5c),
    new Color(0xa02c2c),
    new Color(0xc24e00),
    new Color(0x6a4fb3)
  };

  private final XYChart chart;

  /** Empty axes. */
  Chart(String title, String across, boolean logarithmicAcross, String up, boolean logarithmicUp) {
    chart = new XYChartBuilder()
        .width(1100)
        .height(600)
        .title(title)
        .xAxisTitle(across)
        .yAxisTitle(up)
        .build();
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setLegendPosition(LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(LegendLayout.Horizontal);
    chart.getStyler().setXAxisLogarithmic(logarithmicAcross);
    chart.getStyler().setYAxisLogarithmic(logarithmicUp);
    chart.getStyler().setMarkerSize(6);
  }

  /** Puts many names beside the lines rather than below them, in colours that many lines need. */
  Chart ofMany() {
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    chart.getStyler().setLegendLayout(LegendLayout.Vertical);
    chart.getStyler().setSeriesColors(MANY);
    return this;
  }

  /** Adds a line, with bars from the smallest to the largest. */
  Chart line(String name, double[] x, double[] mean, double[] min, double[] max) {
    double[] errors = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      errors[i] = (max[i] - min[i]) / 2;
    }
    XYSeries series = chart.addSeries(name, x, mean, errors);
    series.setLineStyle(new BasicStroke(2));
    return this;
  }

  /** Adds a point for each row, without bars. */
  <R> Chart line(String name, List<R> rows, ToDoubleFunction<R> x, ToDoubleFunction<R> y) {
    double[] up = numbers(rows, y);
    return line(name, numbers(rows, x), up, up, up);
  }

  /** Adds a point for each row, with what a figure ranges over. */
  <C> Chart measured(String name, List<Measured<C>> rows, ToDoubleFunction<C> x, int figure) {
    return line(
        name,
        numbers(rows, row -> x.applyAsDouble(row.of())),
        numbers(rows, row -> row.mean(figure)),
        numbers(rows, row -> row.min(figure)),
        numbers(rows, row -> row.max(figure)));
  }

  private static <R> double[] numbers(List<R> rows, ToDoubleFunction<R> number) {
    return rows.stream().mapToDouble(number).toArray();
  }

  /** Adds a dashed level without markers. */
  Chart level(String name, double from, double to, double value) {
    XYSeries series = chart.addSeries(name, new double[] {from, to}, new double[] {value, value});
    series.setMarker(SeriesMarkers.NONE);
    series.setLineStyle(new BasicStroke(
        1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, new float[] {6, 4}, 0));
    return this;
  }

  /** Writes a PNG. */
  void save(Path file) throws IOException {
    ImageIO.write(BitmapEncoder.getBufferedImage(chart), "png", file.toFile());
  }
}
