"""Addresses that are not pages; everything else is one, or leads to one."""

from django.urls import path, re_path

from project import endpoints, views

OTHER = ("/robots.txt", "/sitemap.xml", "/favicon.ico", "/sign-out")

urlpatterns = [
    path("robots.txt", endpoints.robots),
    path("sitemap.xml", endpoints.sitemap),
    path("favicon.ico", endpoints.favicon),
    path("sign-out", endpoints.sign_out),
    re_path("", views.page),
]
handler500 = "project.failures.fault"
