package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Labels in forms that people have reported. */
class ReportedLabelsTest extends ReportedCases {
  static Stream<Arguments> forms() {
    DoubleFunction<String> plain = ReportedCases::plain;
    Form rating = Form.json(plain, "3.5", "4.5");
    String stars = NUMBER + "label.classes: [4.5]\n";
    String churned = NUMBER + "label.classes: [True]\n";
    String blanks = NUMBER + "label.classes: [\" >50K\"]\n";
    return Stream.of(
        same(
            "blanks behind commas",
            blanks,
            Form.json(plain, "\" <=50K\"", "\" >50K\""),
            Form.csv("x, y", ReportedCases::signed, " <=50K", " >50K")),
        same("labels of -1 and 1", NUMBER, TRUTH, Form.json(plain, "-1", "1")),
        same("texts", NUMBER, TRUTH, Form.json(plain, "\"0\"", "\"1\"")),
        same("yes and no", NUMBER, TRUTH, Form.csv("x,y", plain, "no", "Yes")),
        same(
            "words with blanks",
            NUMBER,
            TRUTH,
            Form.csv("x, y", ReportedCases::signed, " no", "\tYes ")),
        same("T and F", NUMBER, TRUTH, Form.csv("x,y\r", plain, "F", "T")),
        same("true and false", NUMBER, TRUTH, Form.csv("x,y", plain, "FALSE", "true")),
        same("half stars", stars, rating, Form.csv("x,y", plain, "3.5", "4.50")),
        same("as texts", stars, rating, Form.json(plain, "\"3.5\"", "\"4.5\"")),
        same(
            "versions that are texts",
            NUMBER + "label.classes: [\"3.10\"]\n",
            Form.json(plain, "\"3.1\"", "\"3.10\""),
            Form.csv("x,y", plain, "3.1", "3.10")),
        same(
            "whole stars",
            NUMBER + "label.classes: [5.0]\n",
            Form.json(plain, "4", "5"),
            Form.csv("x,y", plain, "4.0", "5")),
        same(
            "booleans",
            churned,
            Form.json(plain, "false", "true"),
            Form.csv("x,y", plain, "FALSE", "TRUE")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("forms")
  void givesTheModelOfThePlainForm(String name, String yaml, Form truth, Form form)
      throws IOException {
    requireModelOfThePlainForm(name, yaml, truth, form);
  }

  static Stream<Arguments> told() {
    DoubleFunction<String> plain = ReportedCases::plain;
    return Stream.of(
        Arguments.of(
            "labels 1 and 2",
            NUMBER,
            Form.json(plain, "1", "2"),
            "the first 2: state label.classes"),
        Arguments.of(
            "a class never seen",
            NUMBER + "label.classes: [4.5, 9]\n",
            Form.csv("x,y", plain, "3.5", "4.50"),
            "no label was \"9\" (label.classes)"),
        Arguments.of(
            "numbers under a class that is a text",
            NUMBER + "label.classes: [\"4.5\"]\n",
            Form.json(plain, "3.5", "4.5"),
            "no label was the text \"4.5\" (label.classes); the first of the others was \""),
        Arguments.of(
            "a class in other letters",
            NUMBER + "label.classes: [Churned]\n",
            Form.csv("x,y", plain, "kept", "churned"),
            "no label was \"Churned\""),
        Arguments.of(
            "names",
            NUMBER.replace("logistic", "softmax") + "label.names: [kept, Churned]\n",
            Form.csv("x,y", plain, "kept", "churned"),
            "records could not be used since their label means nothing here, the first \"churned\""));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("told")
  void saysThatLabelsDoNotFit(String name, String yaml, Form form, String said) throws IOException {
    replay(form, yaml);
    assertThat(errors.toString()).contains("Labels: ", said);
  }
}
