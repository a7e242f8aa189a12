"""The site's URLs, and below /bench/ control points and peers of page views."""

from django.urls import include, path

from benchmarks import evening_views, views

urlpatterns = [
    *(
        path(f"bench/{view.__name__}", view)
        for view in (views.perform, views.comment, views.import_file, views.raw, views.touch, views.plain)
    ),
    *(
        path(f"bench/{view.__name__}", view)
        for view in (
            *(evening_views.react, evening_views.age, evening_views.rate, evening_views.approve),
            *(evening_views.end, evening_views.live),
        )
    ),
    path("bench/template", views.template),
    path("", include("project.urls")),
]
